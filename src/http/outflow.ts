import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Budget } from '../lib/budget.ts'
import { errorFields, log } from '../lib/log.ts'
import { atEnd } from './at-end.ts'
import { overloaded } from './overloaded.ts'
import { watchReading } from './watch-reading.ts'

interface Bounds {
  /** Bytes of responses that are being sent, in total and for each client. */
  unreadBytesMax: number
  unreadBytesPerClientMax: number
  /** How long, in milliseconds, a client may read nothing. */
  stallMs: number
}

const pieceBytes = 65_536
const unread = new Error('The client has stopped reading')
/** How many long lists are sent in parts at a time. */
const partedMax = 16
const partedPerClientMax = 4

/**
 * Sends long bodies piece by piece, as fast as the client reads. The bytes that clients have not read yet are limited in total and for
 * each client. A client that stops reading is disconnected.
 */
export class Outflow {
  readonly #stallMs: number
  readonly #unread: Budget
  readonly #parted = new Budget({ total: partedMax, share: partedPerClientMax })

  constructor({ unreadBytesMax, unreadBytesPerClientMax, stallMs }: Bounds) {
    this.#unread = new Budget({ total: unreadBytesMax, share: unreadBytesPerClientMax })
    this.#stallMs = stallMs
  }

  /**
   * Reserves memory for a body of this length (undefined: a body in parts) until the response ends. To be called before the head is
   * written. Throws RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE.
   */
  reserve(res: ServerResponse, clients: readonly string[], bytes: number | undefined): void {
    if (bytes !== undefined && bytes <= pieceBytes) return
    const [budget, amount] = bytes === undefined ? [this.#parted, 1] : [this.#unread, bytes]
    const short = budget.take(clients, amount)
    if (short) throw overloaded(short, 'long responses in progress')
    atEnd(res, () => budget.release(clients, amount))
  }

  /** The same for the response to a completed write: it is sent even if memory is short, and later responses get less. */
  reserveAnyway(res: ServerResponse, clients: readonly string[], bytes: number): void {
    if (bytes <= pieceBytes) return
    this.#unread.takeAnyway(clients, bytes)
    atEnd(res, () => this.#unread.release(clients, bytes))
  }

  /** Rejects a write, before it starts, if the client has too many unread bytes. Throws as `reserve` does. */
  requireCapacity(clients: readonly string[]): void {
    const short = this.#unread.shortage(clients, 1)
    if (short) throw overloaded(short, 'long responses in progress')
  }

  /** Sends a body of this length after the head. */
  send(res: ServerResponse, body: string | Buffer, bytes: number): void {
    const encoding = bytes === body.length ? 'latin1' : 'utf8' // ASCII is the same in both, and Latin-1 is copied
    if (bytes <= pieceBytes) res.end(body, encoding)
    else this.#send(res, () => this.#write(res, body))
  }

  /** The same for a body in parts. */
  sendParts(res: ServerResponse, parts: AsyncIterable<string | Buffer>): void {
    this.#send(res, async () => {
      for await (const part of parts) {
        await this.#write(res, part)
        await nextTurn() // without other threads, the next part takes milliseconds on the event loop
      }
    })
  }

  #send(res: ServerResponse, write: () => Promise<void>): void {
    write().then(
      () => res.end(),
      (error) => {
        if (error !== unread) log('sending a response failed', errorFields(error), 'error')
        res.destroy()
      },
    )
  }

  async #write(res: ServerResponse, part: string | Buffer): Promise<void> {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      if (res.destroyed) throw unread
      const isTaken = res.write(bytes.subarray(at, at + pieceBytes)) || (await this.#drained(res))
      if (!isTaken) throw unread
    }
  }

  /** False if the client has stopped reading. */
  #drained(res: ServerResponse): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (drained: boolean) => {
        stop()
        res.off('drain', onDrain).off('close', onClose)
        resolve(drained)
      }
      const onDrain = () => settle(true)
      const onClose = () => settle(false)
      const stop = watchReading(res.req.socket, this.#stallMs, onClose)
      res.once('drain', onDrain).once('close', onClose)
    })
  }
}
