import { useLocation } from 'preact-iso/router'
import type { Row } from '../data/resource-views.ts'
import { t } from '../text/texts.ts'
import { History } from './history.tsx'
import { Timeline } from './timeline.tsx'

interface RecordSideProps {
  of: string
  row: Row
  /** The activities' field that refers to the record; undefined: it has no activities. */
  timelineField: string | undefined
}

/** A record's activities and its history, in tabs. The tab is in the address. */
export function RecordSide({ of, row, timelineField }: RecordSideProps) {
  const { path, query } = useLocation()
  const showsHistory = !timelineField || query.show === 'history'
  const label = showsHistory ? t('History') : t('Activity')
  return (
    <section class="card" aria-label={label}>
      <header>
        <h2 class={timelineField ? 'unseen' : ''}>{label}</h2>
        {timelineField && (
          <nav class="segments" aria-label={t('Activity or history')}>
            <a href={path} aria-current={!showsHistory}>
              {t('Activity')}
            </a>
            <a href={`${path}?show=history`} aria-current={showsHistory}>
              {t('History')}
            </a>
          </nav>
        )}
      </header>
      <div class="body stack">
        {showsHistory ? (
          <History of={of} id={row.id} row={row} />
        ) : (
          <Timeline field={timelineField} row={row} of={of} />
        )}
      </div>
    </section>
  )
}
