import { CircleCheck, CircleDashed, CirclePause, CircleX, TriangleAlert } from 'lucide'
import { Icon } from '../parts/icon.tsx'
import { T } from '../parts/rich-text.tsx'
import { Moment } from '../parts/value.tsx'
import { serverText } from '../text/server-texts.ts'
import { t } from '../text/texts.ts'
import { healthOf, type Webhook } from './webhook.ts'

const shown = {
  delivering: { label: t('Delivering'), tone: 'good', icon: CircleCheck },
  failing: { label: t('Failing'), tone: 'warn', icon: TriangleAlert },
  disabled: { label: t('Disabled'), tone: 'bad', icon: CircleX },
  inactive: { label: t('Inactive'), tone: '', icon: CirclePause },
  new: { label: t('Waiting'), tone: 'info', icon: CircleDashed },
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
  if (health === 'new') return <>{t('Nothing delivered yet')}</>
  if (health === 'failing') {
    return <T text="Since {time}" time={<Moment at={failing_since!} />} />
  }
  if (health === 'disabled') {
    return (
      <>
        <Moment at={disabled_at!} />: {serverText(disabled_reason!)}
      </>
    )
  }
  if (!last_success_at) return <>{t('Never delivered')}</>
  return <T text="Last success: {time}" time={<Moment at={last_success_at} />} />
}
