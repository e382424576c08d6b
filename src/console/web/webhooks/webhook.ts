import { signal } from '@preact/signals'
import { now } from '../session/now.ts'

export interface Webhook {
  id: string
  url: string
  events: string[]
  description: string | null
  payload: 'full' | 'thin'
  ordered: boolean
  is_active: boolean
  failing_since: string | null
  disabled_at: string | null
  disabled_reason: string | null
  last_success_at: string | null
  created_at: string
}

export type WebhookWithSecret = Webhook & { secret: string }

export interface Attempt {
  at: string
  status: number | null
  ms: number
  response: string | null
  error: string | null
}

export interface Delivery {
  id: string
  /** The number of the change; null for a ping. */
  seq: number | null
  type: string
  status: 'pending' | 'succeeded' | 'failed'
  /** The newest 20, oldest first. */
  attempts: Attempt[]
  next_attempt_at: string | null
  created_at: string
}

export const webhooksPath = '/api-v1-webhooks'
/** The maximum of a page, more than a workspace can have. */
export const webhooksMax = 100

type Health = 'delivering' | 'failing' | 'disabled' | 'inactive' | 'new'

/** A webhook that the server has made inactive is disabled. */
export function healthOf({ is_active, disabled_at, failing_since, last_success_at }: Webhook): Health {
  if (!is_active) return disabled_at ? 'disabled' : 'inactive'
  if (failing_since) return 'failing'
  return last_success_at ? 'delivering' : 'new'
}

const failingMs = 86_400_000

/** Whether a webhook is disabled, or has been failing for more than a day. */
export function needsAttention(webhook: Webhook): boolean {
  const health = healthOf(webhook)
  return (
    health === 'disabled' || (health === 'failing' && now().getTime() - Date.parse(webhook.failing_since!) > failingMs)
  )
}

/** Counts this window's own changes of webhooks, which the stream does not report to it. */
export const ownChanges = signal(0)

export function noteOwnChange(): void {
  ownChanges.value++
}
