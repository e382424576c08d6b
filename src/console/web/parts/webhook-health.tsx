import { CircleCheck, CircleDashed, CirclePause, CircleX, TriangleAlert } from 'lucide'
import { healthOf, type Webhook } from '../webhooks.ts'
import { Icon } from './icon.tsx'
import { Moment } from './value.tsx'

const shown = {
  delivering: { label: 'Delivering', tone: 'good', icon: CircleCheck },
  failing: { label: 'Failing', tone: 'warn', icon: TriangleAlert },
  disabled: { label: 'Disabled', tone: 'bad', icon: CircleX },
  inactive: { label: 'Inactive', tone: '', icon: CirclePause },
  new: { label: 'Waiting', tone: 'info', icon: CircleDashed },
}

export function HealthBadge({ of }: { of: Webhook }) {
  const { label, tone, icon } = shown[healthOf(of)]
  return (
    <span class={`badge ${tone}`}>
      <Icon of={icon} /> {label}
    </span>
  )
}

/** Since when, or why. */
export function HealthText({ of }: { of: Webhook }) {
  const { failing_since, last_success_at, disabled_at, disabled_reason } = of
  const health = healthOf(of)
  if (health === 'new') return <>Nothing delivered yet</>
  if (health === 'failing') {
    return (
      <>
        Since <Moment at={failing_since!} />
      </>
    )
  }
  if (health === 'disabled') {
    return (
      <>
        <Moment at={disabled_at!} />: {disabled_reason}
      </>
    )
  }
  if (!last_success_at) return <>Never delivered</>
  return (
    <>
      Last success: <Moment at={last_success_at} />
    </>
  )
}
