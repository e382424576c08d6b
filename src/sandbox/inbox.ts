import type { Delivery, Sent } from '../features/webhooks/transport/attempt.ts'

/** The URL of webhooks whose deliveries are captured instead of sent (decision I9). */
export const inboxUrl = 'kontor:inbox'

/** A captured delivery. */
export interface Captured {
  /** The header `webhook-id`. */
  id: string
  webhook_id: string
  /** The type of the change. */
  type: string
  /** When it was captured, by the world's clock. */
  at: string
  /** As they would have been sent. */
  headers: Readonly<Record<string, string>>
  body: unknown
  /** The text that is signed. */
  text: string
}

export const capturedMax = 1_000
const bytesMax = 16 * 2 ** 20

/** The captured deliveries of a world, oldest first. Beyond the maximum, the oldest are dropped. */
export class Inbox {
  #captured: Captured[]
  #bytes: number
  readonly #listeners = new Set<() => void>()
  #isClosed = false

  constructor(captured: readonly Captured[]) {
    this.#captured = [...captured]
    this.#bytes = captured.reduce((sum, { text }) => sum + text.length, 0)
  }

  get state(): readonly Captured[] {
    return [...this.#captured]
  }

  /** Takes the place of an attempt to send. */
  capture({ headers, body }: Delivery, at: string): Sent {
    const text = body.toString()
    const content = JSON.parse(text)
    const id = headers['webhook-id']!
    const [, webhook_id] = /^msg_(.*)_-?\d+$/.exec(id)!
    this.#captured.push({ id, webhook_id: webhook_id!, type: content.type, at, headers, body: content, text })
    this.#bytes += text.length
    while (this.#captured.length > capturedMax || this.#bytes > bytesMax) {
      this.#bytes -= this.#captured.shift()!.text.length
    }
    for (const listener of this.#listeners) listener()
    return { status: 204, ms: 0, response: '', error: null, retryAfterMs: null }
  }

  find(type?: string): Captured[] {
    return this.#captured.filter((each) => type === undefined || each.type === type)
  }

  /** Resolves when there are `count` deliveries of this type, when the time is over, or when the inbox is closed. */
  wait({ type, count, ms }: { type: string | undefined; count: number; ms: number }): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.#listeners.delete(look)
        resolve()
      }
      const look = () => {
        if (this.#isClosed || this.find(type).length >= count) end()
      }
      const timer = setTimeout(end, ms)
      this.#listeners.add(look)
      look()
    })
  }

  /** Removes and returns what it has. */
  clear(): Captured[] {
    const removed = this.#captured
    this.#captured = []
    this.#bytes = 0
    return removed
  }

  /** Ends all waiting. */
  close(): void {
    this.#isClosed = true
    for (const listener of this.#listeners) listener()
  }
}
