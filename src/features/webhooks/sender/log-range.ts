import type { Message, Reach } from './messages.ts'

/** Reads the next messages. `readUntil` is the number up to which there are no others. */
export type ReadLogRange = (reach: Reach) => { messages: Message[]; readUntil: number }

/** A part of the log that is sent from its beginning. Some messages are read ahead. */
export class LogRange {
  /** Everything up to this number has been taken or skipped. */
  taken: number
  #ahead: { messages: Message[]; readUntil: number } = { messages: [], readUntil: 0 }

  constructor(after: number) {
    this.taken = after
  }

  /** Drops what has been read ahead: it may be for other types than before, or of a record that has been erased since. */
  forget(): void {
    this.#ahead.messages = []
  }

  skipTo(number: number): void {
    this.forget()
    this.taken = Math.max(this.taken, number)
  }

  /** The next message, which `take` takes; undefined: a part of the log has nothing, and is skipped. */
  peek(read: ReadLogRange, until: number, limit: number): Message | undefined {
    if (this.#ahead.messages.length === 0) this.#ahead = read({ after: this.taken, until, limit })
    if (this.#ahead.messages.length === 0) this.taken = this.#ahead.readUntil
    return this.#ahead.messages[0]
  }

  take(): void {
    const { messages, readUntil } = this.#ahead
    const message = messages.shift()!
    this.taken = messages.length > 0 ? message.number : readUntil
  }
}
