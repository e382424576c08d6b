import { Undo2 } from 'lucide'
import { useState } from 'preact/hooks'
import { remove } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import type { Row } from '../data/resource-views.ts'
import { useAttempt } from '../data/use-attempt.ts'
import { usePages } from '../data/use-pages.ts'
import { countWaiting } from '../mail-inbox/waiting.ts'
import { Card } from '../parts/card.tsx'
import { ErrorNotice, WhenLoaded } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { notify } from '../parts/notes.tsx'
import { Pager } from '../parts/pager.tsx'
import { T } from '../parts/rich-text.tsx'
import { single } from '../parts/single-click.ts'
import { Moment } from '../parts/value.tsx'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'

const path = '/api-v1-mail-ignored-senders'
const pageSize = 10

/** The senders who are not for Kontor. */
export function IgnoredSenders() {
  const [page, setPage] = useState(1)
  const loaded = usePages<Row>(path, { sort: '-created_at', limit: pageSize, page }, setPage)
  useNews(({ resource }) => resource === 'ignored_sender', loaded.refresh)
  return (
    <Card label={t('Not for Kontor')}>
      <p class="body muted">
        {t(
          'Mail from these senders is stored, but does not wait in the inbox. When you take a sender back, all of its mail waits again.',
        )}
      </p>
      <WhenLoaded loaded={loaded}>
        {loaded.data?.data.length === 0 && <p class="body">{t('No senders')}</p>}
        <ul class="list">
          {loaded.data?.data.map((each) => (
            <Sender key={each.id} of={each} onTaken={loaded.reload} />
          ))}
        </ul>
        {loaded.data && loaded.data.pagination.total > pageSize && (
          <Pager of={loaded.data.pagination} at={page} onPage={setPage} />
        )}
      </WhenLoaded>
    </Card>
  )
}

function Sender({ of: { id, address, visibility, created_at }, onTaken }: { of: Row; onTaken: () => void }) {
  const { busy, error, attempt } = useAttempt()
  const takeBack = async () => {
    const text = t('{address} is taken back.', { address })
    const removed = await remove(`${path}/${id}`)
    if (visibility === 'shared') notifyChange(text, removed)
    else notify(text)
    onTaken()
    void countWaiting()
  }
  return (
    <li class="wraps">
      <div class="grow">
        {address}
        <div class="muted small">
          {visibility === 'shared' ? t('For everybody') : t('Only for you')} ·{' '}
          <T text="since {time}" time={<Moment at={created_at} />} />
        </div>
        <ErrorNotice error={error} />
      </div>
      <button
        type="button"
        class="button small"
        aria-disabled={busy}
        aria-label={t('Take back {address}', { address })}
        onClick={single(() => void attempt(takeBack))}
      >
        <Icon of={Undo2} /> {t('Take back')}
      </button>
    </li>
  )
}
