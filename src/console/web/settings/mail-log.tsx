import { useState } from 'preact/hooks'
import { useNews } from '../data/news.ts'
import type { Row } from '../data/resource-views.ts'
import { usePages } from '../data/use-pages.ts'
import { subjectText } from '../mail/mail-people.tsx'
import { Card } from '../parts/card.tsx'
import { WhenLoaded } from '../parts/error-notice.tsx'
import { Pager } from '../parts/pager.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Moment } from '../parts/value.tsx'
import { href } from '../session/place.ts'
import { isAdmin } from '../session/session.ts'
import { serverText } from '../text/server-texts.ts'
import { t } from '../text/texts.ts'
import { outcomeText } from './mail-outcome.ts'

const pageSize = 20
const doors: Readonly<Record<string, string>> = { smtp: 'SMTP', http: 'HTTP', imap: t('Mailbox') }

/** What became of the last mails. */
export function MailLog() {
  const [page, setPage] = useState(1)
  const loaded = usePages<Row>('/api-v1-mail-log', { limit: pageSize, page }, setPage)
  useNews(({ resource }) => resource === 'message', loaded.refresh)
  return (
    <Card label={t('Mail log')}>
      <p class="body muted">
        {isAdmin()
          ? t('What became of the last 1,000 mails. What you may not see has neither sender nor subject.')
          : t('What became of the mail to your own addresses and mailboxes.')}
      </p>
      <WhenLoaded loaded={loaded}>
        {loaded.data?.data.length === 0 ? (
          <p class="body">{t('No mail yet')}</p>
        ) : (
          <Table label={t('Last mails')} columns={columns} rows={rowsOf(loaded.data?.data ?? [])} />
        )}
        {loaded.data && loaded.data.pagination.total > pageSize && (
          <Pager of={loaded.data.pagination} at={page} onPage={setPage} />
        )}
      </WhenLoaded>
    </Card>
  )
}

/** Deliveries have no ids. */
function rowsOf(deliveries: readonly Row[]): Row[] {
  return deliveries.map((each, at) => ({ ...each, id: `${each.at} ${at}` }))
}

const columns: Column<Row>[] = [
  {
    name: 'subject',
    label: t('Mail'),
    cell: ({ from, subject, message_id }) => (
      <>
        {message_id ? <a href={href(`/messages/${message_id}`)}>{subjectText(subject)}</a> : '–'}
        {from && <div class="muted small">{from.name || from.address}</div>}
      </>
    ),
  },
  {
    name: 'outcome',
    label: t('What became of it'),
    cell: ({ outcome, reason }) => (
      <>
        {outcomeText(outcome)}
        {reason && <div class="muted small">{serverText(reason)}</div>}
      </>
    ),
  },
  { name: 'at', label: t('When'), leaves: 'p2', cell: ({ at }) => <Moment at={at} /> },
  {
    name: 'address',
    label: t('At'),
    leaves: 'p4',
    cell: ({ door, address }) => (
      <>
        {doors[door] ?? door}
        <div class="muted small">{address}</div>
      </>
    ),
  },
]
