import type { Socket } from 'node:net'

const readings = new WeakMap<Socket, Reading>()

/** Whether a connection is read. A held one is not, even if Node.js resumes it, as it does after each request and for each body. */
export class Reading {
  /** Whether it is read once nothing holds it. */
  isWanted = true
  /** Of the bodies that have arrived in this turn of the event loop. */
  turn = { chunks: 0, bytes: 0 }
  #isHeldForTurn = false
  readonly #socket: Socket
  #holds = 0

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('resume', () => {
      if (this.#holds === 0) return
      this.isWanted = true
      socket.pause()
      socket.emit('pause') // it is not emitted if the connection was paused after this resume was scheduled
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

  /** Holds the connection until the next turn of the event loop. */
  holdForTurn(): void {
    if (this.#isHeldForTurn) return
    this.#isHeldForTurn = true
    this.hold()
    setImmediate(() => {
      this.#isHeldForTurn = false
      this.turn = { chunks: 0, bytes: 0 }
      this.release()
    })
  }

  release(): void {
    this.#holds--
    if (this.#holds === 0 && this.isWanted) this.#socket.resume()
  }
}
