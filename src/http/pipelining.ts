import type { Socket } from 'node:net'

/** How many requests a connection begins in one turn of the event loop. Clients that send requests without waiting send fewer. */
const togetherMax = 256

/**
 * Limits the requests that arrive together on a connection. Node begins all of a packet, thousands, before it reads from another connection, and
 * even to refuse them would keep the others waiting.
 */
export class Pipelining {
  /** The requests of this turn. */
  readonly #begun = new Map<Socket, number>()

  /** Whether a request may begin; otherwise closes its connection. */
  admits(socket: Socket): boolean {
    if (socket.destroyed) return false
    if (this.#begun.size === 0) setImmediate(() => this.#begun.clear())
    const count = (this.#begun.get(socket) ?? 0) + 1
    this.#begun.set(socket, count)
    if (count > togetherMax) socket.destroy()
    return count <= togetherMax
  }
}
