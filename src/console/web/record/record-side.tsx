import type { ComponentChildren } from 'preact'
import type { Row } from '../data/resource-views.ts'
import { usePlace } from '../data/use-place.ts'
import { t } from '../text/texts.ts'
import { History } from './history.tsx'
import { Timeline } from './timeline.tsx'

interface RecordSideProps {
  of: string
  row: Row
  /** The activities' field that refers to the record; undefined: it has no activities. */
  timelineField: string | undefined
  /** The first tab of a record that has no activities. */
  children?: ComponentChildren
}

/** A record's activities and its history, in tabs. The tab is in the address. */
export function RecordSide({ of, row, timelineField, children }: RecordSideProps) {
  const { path, query } = usePlace()
  const showsHistory = query.show === 'history'
  const first = timelineField ? t('Activity') : t('Details')
  const label = showsHistory ? t('History') : first
  return (
    <section class="card" aria-label={label}>
      <header>
        <h2 class="unseen">{label}</h2>
        <nav class="segments" aria-label={timelineField ? t('Activity or history') : t('Details or history')}>
          <a href={path} aria-current={!showsHistory}>
            {first}
          </a>
          <a href={`${path}?show=history`} aria-current={showsHistory}>
            {t('History')}
          </a>
        </nav>
      </header>
      {showsHistory || timelineField ? (
        <div class="body stack">
          {showsHistory ? (
            <History of={of} id={row.id} row={row} />
          ) : (
            <Timeline field={timelineField!} row={row} of={of} />
          )}
        </div>
      ) : (
        children
      )}
    </section>
  )
}
