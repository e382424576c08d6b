import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { now } from '../session/now.ts'
import { description, fieldOf } from '../session/session.ts'
import { word } from '../text/format.ts'
import { t } from '../text/texts.ts'

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

export function eventsText({ events }: Webhook): string {
  return events.includes('*') ? t('Everything') : events.join(', ')
}

/** The types of changes of a resource. */
export interface EventGroup {
  label: string
  /** `deal.*` */
  all: string
  types: { type: string; label: string }[]
}

/** The types that a webhook can deliver, by resource. */
export function eventGroups(): EventGroup[] {
  const options = fieldOf('webhook', 'events').options!
  const resources = options.filter((option) => option.endsWith('.*')).map((option) => option.slice(0, -2))
  return resources.map((name) => ({
    label: subjectOf(name),
    all: `${name}.*`,
    types: options
      .filter((option) => option.startsWith(`${name}.`) && !option.endsWith('.*'))
      .map((type) => ({ type, label: word(type.slice(name.length + 1)) })),
  }))
}

function subjectOf(name: string): string {
  return description.value!.resources.find((resource) => resource.name === name)?.plural ?? `${word(name)}s`
}

/** When to look for how deliveries end, in milliseconds after the look before. The last one is repeated. */
const looksMs = [300, 700, 1_000, 2_000, 3_000, 4_000, 15_000]

/** Calls `look` again and again while the page is visible, first quickly, then slowly. Returns a function that begins again. */
export function useFollowing(look: () => unknown): () => void {
  const latest = useRef(look)
  latest.current = look
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const begin = () => {
    clearTimeout(timer.current)
    wait(0)
  }
  useEffect(() => {
    begin()
    return () => clearTimeout(timer.current)
  }, [])
  return begin

  function wait(count: number): void {
    timer.current = setTimeout(
      () => {
        if (document.visibilityState === 'visible') latest.current()
        wait(count + 1)
      },
      looksMs[Math.min(count, looksMs.length - 1)],
    )
  }
}
