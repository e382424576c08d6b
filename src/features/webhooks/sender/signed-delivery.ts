import { createHmac } from 'node:crypto'
import { timestamp } from '../../../lib/clock.ts'
import type { Outcome, Pending } from '../stored/deliveries.ts'
import { unexpired } from '../stored/secrets.ts'
import type { Active } from '../stored/webhook-state.ts'
import type { Delivery, Sent } from '../transport/attempt.ts'
import { type Message, pingType } from './messages.ts'
import { retryDelayMs } from './retry-schedule.ts'

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

/** An attempt and its result. */
interface Made {
  /** The URL that was attempted. */
  url: string
  sent: Sent
  /** The number of attempts, including this one. */
  tries: number
  asked: number
  beginMs: number
  endMs: number
  /** From 0 to 1: spreads the next attempts of deliveries that fail together. Asked only for those, so that successes change nothing. */
  random(): number
}

/** The outcome of an attempt, and when the next one is due. A ping is attempted once. */
export function outcomeOf({ number, type }: Message, { url, sent, tries, asked, ...made }: Made): Outcome {
  const { status, ms, response, error, retryAfterMs } = sent
  const attempt = { at: timestamp(made.beginMs), status, ms, response, error }
  const outcome = { number, type, url, attempt, tries, asked }
  if (status !== null && status >= 200 && status < 300) return { ...outcome, status: 'succeeded', nextAtMs: null }
  const delay = type === pingType ? undefined : retryDelayMs(tries, retryAfterMs, made.random())
  if (delay === undefined) return { ...outcome, status: 'failed', nextAtMs: null }
  return { ...outcome, status: 'pending', nextAtMs: Math.round(made.endMs + delay) }
}

/** The outcome of a delivery whose change was pruned while the webhook was inactive, or may not be sent to it any more. */
export function goneOutcome({ number, type, attempts, asked }: Pending, nowMs: number): Outcome {
  const error = 'The log no longer has this change for the webhook'
  const attempt = { at: timestamp(nowMs), status: null, ms: 0, response: null, error }
  return { number, type, url: null, attempt, status: 'failed', tries: attempts, asked, nextAtMs: null }
}

/** What a signature covers (Standard Webhooks): the bytes of the body as they are sent. */
interface Signed {
  /** `webhook-id` */
  id: string
  /** `webhook-timestamp`, in seconds */
  seconds: number
  body: string
}

/** The header `webhook-signature`: one signature for each secret, separated by spaces (decision H2). */
function signatures(secrets: readonly { secret: string }[], { id, seconds, body }: Signed): string {
  return secrets.map(({ secret }) => `v1,${hmac(secret, `${id}.${seconds}.${body}`)}`).join(' ')
}

function hmac(secret: string, content: string): string {
  return createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(content)
    .digest('base64')
}
