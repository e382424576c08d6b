import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { addressOf, addressPrefix } from '../../../lib/address.ts'
import { secondMs } from '../../../lib/clock.ts'
import type { SmtpBounds } from './bounds.ts'

/** What a connection is doing: its client sends commands or a message, or the server delivers one. */
type Phase = 'commands' | 'data' | 'delivery'

/** An open connection. */
export interface Client {
  readonly id: string
  readonly socket: Socket
  /** The client's address; an IPv6 address by its /64. */
  readonly name: string
  phase: Phase
  /** When the phase began, and what had been read by then. */
  sinceMs: number
  readBefore: number
}

/** The open connections, in total and by client address, and how long each may take. */
export class Clients {
  readonly #bounds: SmtpBounds
  readonly #byId = new Map<string, Client>()
  readonly #countByName = new Map<string, number>()
  #onNone: () => void = () => {}

  constructor(bounds: SmtpBounds) {
    this.#bounds = bounds
  }

  get size(): number {
    return this.#byId.size
  }

  lookup(id: string): Client | undefined {
    return this.#byId.get(id)
  }

  all(): readonly Client[] {
    return [...this.#byId.values()]
  }

  /** Counts a connection, or returns why there must be no further one. */
  add(socket: Socket): Client | string {
    const { connectionsMax, connectionsPerClientMax } = this.#bounds
    const name = addressPrefix(addressOf(socket))
    const count = this.#countByName.get(name) ?? 0
    if (this.#byId.size >= connectionsMax) return 'Too many connections, try again later'
    if (count >= connectionsPerClientMax) return 'Too many connections from your address, try again later'
    const client: Client = { id: randomUUID(), socket, name, phase: 'commands', sinceMs: 0, readBefore: 0 }
    this.enter(client, 'commands')
    this.#byId.set(client.id, client)
    this.#countByName.set(name, count + 1)
    return client
  }

  /** Has no effect on a connection that has been removed. */
  remove(id: string): void {
    const client = this.#byId.get(id)
    if (!client) return
    this.#byId.delete(id)
    const count = this.#countByName.get(client.name)! - 1
    if (count === 0) this.#countByName.delete(client.name)
    else this.#countByName.set(client.name, count)
    if (this.#byId.size === 0) this.#onNone()
  }

  enter(client: Client, phase: Phase): void {
    client.phase = phase
    client.sinceMs = performance.now()
    client.readBefore = client.socket.bytesRead
  }

  /** The connections whose clients take too long. A byte now and then does not help. */
  late(nowMs = performance.now()): Client[] {
    const { commandsMs, commandBytesMax, dataMs, dataMsMax, dataBytesPerSecondMin } = this.#bounds
    return this.all().filter(({ phase, sinceMs, readBefore, socket }) => {
      const [tookMs, bytes] = [nowMs - sinceMs, socket.bytesRead - readBefore]
      if (phase === 'commands') return tookMs > commandsMs || bytes > commandBytesMax
      const allowedMs = Math.min(dataMsMax, dataMs + (bytes / dataBytesPerSecondMin) * secondMs)
      return phase === 'data' && tookMs > allowedMs
    })
  }

  /** Resolves when there is no connection. */
  none(): Promise<void> {
    return new Promise((resolve) => {
      this.#onNone = resolve
      if (this.#byId.size === 0) resolve()
    })
  }
}
