import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

interface Events {
  /** Called with each complete response, whose characters are bytes. */
  onResponse(response: string): void
  onClose(): void
}

/** A connection on which prepared requests are sent, one after the other. Responses must have a Content-Length. */
export class RawConnection {
  readonly #socket: Socket
  readonly #onResponse: Events['onResponse']
  #received = ''
  /** The length of the response, once its head is there. */
  #length = 0

  private constructor(socket: Socket, { onResponse, onClose }: Events) {
    this.#socket = socket
    this.#onResponse = onResponse
    socket.setNoDelay().setEncoding('latin1')
    socket.on('error', () => {}) // it is closed then
    socket.on('data', (text: string) => this.#receive(text))
    socket.on('close', onClose)
  }

  static async open(url: string, events: Events): Promise<RawConnection> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    return new RawConnection(socket, events)
  }

  get isClosed(): boolean {
    return this.#socket.destroyed
  }

  send(request: string): void {
    this.#socket.write(request)
  }

  close(): void {
    this.#socket.destroy()
  }

  #receive(text: string): void {
    this.#received += text
    if (this.#length === 0) {
      const end = this.#received.indexOf('\r\n\r\n')
      if (end === -1) return
      this.#length = end + 4 + Number(/content-length: (\d+)/i.exec(this.#received)![1])
    }
    if (this.#received.length < this.#length) return
    const response = this.#received
    this.#received = ''
    this.#length = 0
    this.#onResponse(response)
  }
}
