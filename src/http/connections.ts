import type { Socket } from 'node:net'
import { addressOf, addressPrefix } from '../lib/address.ts'

interface Bounds {
  /** The maximum number of connections in total. */
  max: number
  /** The maximum number for each client address; IPv6 addresses count by their /64. */
  perAddressMax: number
  /** Proxies are exempt: their connections belong to many clients. */
  isProxy: (address: string) => boolean
}

interface Connection {
  socket: Socket
  /** The client's address or /64; empty for a proxy. */
  client: string
}

/**
 * Limits the open connections in total and per client address. A connection without a request in progress is idle. At the limit, a new
 * connection replaces the one that has been idle longest; if none is idle, the new one is closed.
 */
export class Connections {
  readonly #bounds: Bounds
  readonly #connections = new Map<string, Connection>()
  /** Idle connections by the peer's address and port, longest idle first. */
  readonly #idle = new Map<string, Connection>()
  readonly #perClient = new Map<string, number>()
  #activeCount = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** Admits a new connection, or closes it. With TLS, `socket` is the one below the encryption. */
  accept(socket: Socket): void {
    const address = addressOf(socket)
    const client = this.#bounds.isProxy(address) ? '' : addressPrefix(address)
    const peer = peerOf(socket)
    const former = this.#connections.get(peer)
    if (former) this.#remove(peer, former) // its port is in use again, so it has ended: Node has not noticed yet
    const isAdmitted = this.#freeSlot(client)
    if (!isAdmitted) return void socket.destroy()
    const connection = { socket, client }
    this.#connections.set(peer, connection)
    this.#idle.set(peer, connection)
    this.#perClient.set(client, this.#countOf(client) + 1)
    socket.once('close', () => this.#remove(peer, connection))
  }

  /** Marks the connection as in use. Returns a function that ends that. */
  begin(socket: Socket): () => void {
    const peer = peerOf(socket)
    const connection = this.#connections.get(peer)
    if (!this.#idle.delete(peer)) return () => {}
    this.#activeCount++
    return () => {
      this.#activeCount--
      if (connection && this.#connections.get(peer) === connection) this.#idle.set(peer, connection)
    }
  }

  /** How many connections have a request in progress. */
  get activeCount(): number {
    return this.#activeCount
  }

  #freeSlot(client: string): boolean {
    const { max, perAddressMax } = this.#bounds
    if (client !== '' && this.#countOf(client) >= perAddressMax)
      return this.#closeIdle((each) => each.client === client)
    return this.#connections.size < max || this.#closeIdle(() => true)
  }

  /** Closes the matching connection that has been idle longest; false if there is none. */
  #closeIdle(matches: (connection: Connection) => boolean): boolean {
    for (const [peer, connection] of this.#idle) {
      if (!matches(connection)) continue
      this.#remove(peer, connection)
      connection.socket.destroy()
      return true
    }
    return false
  }

  #remove(peer: string, connection: Connection): void {
    if (this.#connections.get(peer) !== connection) return
    this.#connections.delete(peer)
    this.#idle.delete(peer)
    const count = this.#countOf(connection.client) - 1
    if (count === 0) this.#perClient.delete(connection.client)
    else this.#perClient.set(connection.client, count)
  }

  #countOf(client: string): number {
    return this.#perClient.get(client) ?? 0
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
