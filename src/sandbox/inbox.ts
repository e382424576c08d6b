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

/**
 * The captured deliveries of a world, oldest first. Beyond the maximum, the oldest are dropped. Webhooks send at the same time: what one
 * request leads to is in the order of the changes, and for each change of the webhooks, whoever came first (decision I6).
 */
export class Inbox {
  #captured: Captured[]
  /** The number of those that stay where they are. */
  #settled: number
  #bytes: number
  readonly #listeners = new Set<() => void>()
  #isClosed = false

  constructor(captured: readonly Captured[]) {
    this.#captured = [...captured]
    this.#settled = captured.length
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
    this.#insert({ id, webhook_id: webhook_id!, type: content.type, at, headers, body: content, text })
    this.#bytes += text.length
    while (this.#captured.length > capturedMax || this.#bytes > bytesMax) {
      this.#bytes -= this.#captured.shift()!.text.length
      this.#settled = Math.max(this.#settled - 1, 0)
    }
    for (const listener of this.#listeners) listener()
    return { status: 204, ms: 0, response: '', error: null, retryAfterMs: null }
  }

  /** All that the requests so far lead to is there. */
  settle(): void {
    this.#settled = this.#captured.length
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
    this.#settled = 0
    this.#bytes = 0
    return removed
  }

  #insert(captured: Captured): void {
    let place = this.#captured.length
    while (place > this.#settled && isBefore(captured, this.#captured[place - 1]!)) place--
    this.#captured.splice(place, 0, captured)
  }

  /** Ends all waiting. */
  close(): void {
    this.#isClosed = true
    for (const listener of this.#listeners) listener()
  }
}

function isBefore(a: Captured, b: Captured): boolean {
  if (a.at !== b.at) return a.at < b.at
  if (numberOf(a) !== numberOf(b)) return numberOf(a) < numberOf(b)
  return a.webhook_id < b.webhook_id
}

/** The number of the change; less than 0 for a ping. */
function numberOf({ id }: Captured): number {
  return Number(id.slice(id.lastIndexOf('_') + 1))
}
