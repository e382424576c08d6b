import type { Row } from '../data/resource-views.ts'
import { Moment } from '../parts/value.tsx'
import { durationText } from '../text/format.ts'

/** When an activity happened, for how long, and with what outcome, as far as its metadata say so. */
export function ActivityFacts({ activity }: { activity: Row }) {
  const { duration_minutes: minutes, outcome } = activity.metadata ?? {}
  return (
    <>
      <Moment at={occurredAt(activity)} />
      {typeof minutes === 'number' && minutes > 0 && <> · {durationText(minutes * 60_000)}</>}
      {typeof outcome === 'string' && outcome.trim() !== '' && <> · {outcome}</>}
    </>
  )
}

/** `occurred_at` of the metadata if it is before the activity was written, as lists sort it; otherwise when that was. */
export function occurredAt({ metadata, created_at }: Row): string {
  const given = metadata?.occurred_at
  const isTime = typeof given === 'string' && /^\d{4}-\d\d-\d\d/.test(given.trim())
  return isTime && Date.parse(given.trim()) <= Date.parse(created_at) ? given.trim() : created_at
}
