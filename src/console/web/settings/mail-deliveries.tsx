import { Fragment } from 'preact'
import { list } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { Moment } from '../parts/value.tsx'
import { t } from '../text/texts.ts'
import { outcomeText } from './mail-outcome.ts'

const doors = { smtp: 'SMTP', http: 'HTTP', imap: t('Mailboxes') } as const

/** The last mail that came by each door, and what became of it. */
export function LastDeliveries() {
  const loaded = useData(
    (signal) =>
      Promise.all(
        Object.keys(doors).map(
          async (door) => (await list<Row>('/api-v1-mail-log', { door, limit: 1 }, signal)).data[0],
        ),
      ),
    [],
  )
  if (!loaded.data || loaded.error) return <LoadingOrError of={loaded} />
  return (
    <dl class="facts">
      {Object.values(doors).map((label, at) => {
        const last = loaded.data![at]
        return (
          <Fragment key={label}>
            <dt>{t('Last mail: {door}', { door: label })}</dt>
            <dd>
              {last ? (
                <>
                  <Moment at={last.at} /> · {outcomeText(last.outcome)}
                </>
              ) : (
                t('None yet')
              )}
            </dd>
          </Fragment>
        )
      })}
    </dl>
  )
}
