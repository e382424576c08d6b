import { timestamp } from '../lib/clock.ts'
import type { Delivery, Sent } from './attempt.ts'
import { type Message, pingType } from './body.ts'
import type { Outcome, Pending } from './deliveries.ts'
import { retryDelayMs } from './schedule.ts'
import { unexpired } from './secrets.ts'
import { signatures } from './signature.ts'
import type { Active } from './state.ts'

/** The request of an attempt, signed by the Standard Webhooks scheme (decision H3). */
export function deliveryOf(
  { id, url, secrets }: Active,
  { number, body }: Message,
  { userAgent, nowMs }: { userAgent: string; nowMs: number },
): Delivery {
  const seconds = Math.floor(Date.now() / 1000) // of the real clock, to which receivers compare it
  const signed = { id: `msg_${id}_${number}`, seconds, body }
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    'webhook-id': signed.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures(unexpired(secrets, nowMs), signed),
  }
  return { url, headers, body }
}

/** An attempt and its result. `attempts` includes it. */
interface Made {
  sent: Sent
  attempts: number
  beginMs: number
  endMs: number
  /** From 0 to 1: spreads the next attempts of deliveries that fail together. */
  random: number
}

/** The outcome of an attempt, and when the next one is due. A ping is attempted once. */
export function outcomeOf({ number, type }: Message, { sent, attempts, beginMs, endMs, random }: Made): Outcome {
  const { status, ms, response, error, retryAfterMs } = sent
  const made = { number, type, attempt: { at: timestamp(beginMs), status, ms, response, error } }
  if (status !== null && status >= 200 && status < 300) return { ...made, status: 'succeeded', nextAtMs: null }
  const delay = type === pingType ? undefined : retryDelayMs(attempts, retryAfterMs, random)
  if (delay === undefined) return { ...made, status: 'failed', nextAtMs: null }
  return { ...made, status: 'pending', nextAtMs: Math.round(endMs + delay) }
}

/** The outcomes of deliveries whose changes were pruned while the webhook was inactive. */
export function prunedOutcomes(pending: readonly Pending[], oldest: number, nowMs: number): Outcome[] {
  const error = 'The log no longer has this change'
  const attempt = { at: timestamp(nowMs), status: null, ms: 0, response: null, error }
  const pruned = pending.filter(({ number }) => number >= 0 && number < oldest)
  return pruned.map(({ number, type }) => ({ number, type, attempt, status: 'failed', nextAtMs: null }))
}
