import { now } from '../session/now.ts'
import { durationText, moment } from '../text/format.ts'
import { t } from '../text/texts.ts'
import type { StageAge } from './stage-ages.ts'

/** For how long a deal has been in its stage, marked if nothing has happened for too long. */
export function AgeInStage({ age: { entered_at, is_stale } }: { age: StageAge }) {
  const time = durationText(now().getTime() - Date.parse(entered_at))
  const title = t('In this stage since {time}', { time: moment(entered_at) })
  return is_stale ? (
    <span class="badge warn" title={title}>
      {t('Stale')} · {time}
    </span>
  ) : (
    <span title={title}>
      <span class="unseen">{t('In this stage:')} </span>
      {time}
    </span>
  )
}
