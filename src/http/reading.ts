import type { Socket } from 'node:net'

const readings = new WeakMap<Socket, Reading>()

/** Whether a connection is read. While it is held, it is not, although Node.js resumes it at the end of each request and when a body is read. */
export class Reading {
  /** Whether it is read once nothing holds it. */
  isWanted = true
  readonly #socket: Socket
  #holds = 0

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('resume', () => {
      if (this.#holds === 0) return
      this.isWanted = true
      socket.pause()
    })
  }

  static of(socket: Socket): Reading {
    const reading = readings.get(socket) ?? new Reading(socket)
    readings.set(socket, reading)
    return reading
  }

  hold(): void {
    this.#holds++
    this.isWanted = true
    this.#socket.pause()
  }

  release(): void {
    this.#holds--
    if (this.#holds === 0 && this.isWanted) this.#socket.resume()
  }
}
