import type { Row } from '../data/resource-views.ts'
import { Moment } from '../parts/value.tsx'
import { durationText } from '../text/format.ts'
import { occurredAt } from './timeline-activities.ts'

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
