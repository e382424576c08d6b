import { Inbox as InboxIcon } from 'lucide'
import { useListState } from '../data/list-state.ts'
import { useNews } from '../data/news.ts'
import { usePages } from '../data/use-pages.ts'
import { useReturn } from '../data/use-return.ts'
import { Empty } from '../parts/empty.tsx'
import { PagedCard } from '../parts/paged-card.tsx'
import { useTitle } from '../parts/use-title.ts'
import { href } from '../session/place.ts'
import { t } from '../text/texts.ts'
import type { Waiting } from './inbox-message.ts'
import { InboxRow } from './inbox-row.tsx'
import { countWaiting, isOfMail } from './waiting.ts'

const pageSize = 25

/** The messages of which nobody has said yet where they belong. */
export function Inbox() {
  useTitle(t('Inbox'))
  const [{ page }, change] = useListState()
  const query = { is_waiting: 'true', include: 'files', limit: pageSize, page }
  const loaded = usePages<Waiting>('/api-v1-messages', query, (last) => change({ page: last }, 'replace'))
  useNews(isOfMail, loaded.refresh)
  useReturn(loaded.refresh)
  const decided = () => {
    loaded.reload()
    void countWaiting()
  }
  return (
    <div class="page">
      <div class="heading">
        <div class="stack tight">
          <h1>{t('Inbox')}</h1>
          <p class="muted">{t('Mail of people whom Kontor does not know yet, and mail whose sender is in doubt.')}</p>
        </div>
        <a class="button" href={href('/settings/mail')}>
          {t('Addresses and mailboxes')}
        </a>
      </div>
      <PagedCard
        label={t('Inbox')}
        of={loaded}
        page={page}
        onPage={(next) => change({ page: next })}
        rows={(data) => <Listed of={data} onDecided={decided} />}
      />
    </div>
  )
}

function Listed({ of, onDecided }: { of: readonly Waiting[]; onDecided: () => void }) {
  if (of.length === 0) {
    return (
      <Empty icon={InboxIcon} title={t('Nothing is waiting')}>
        {t('Mail of known contacts is on their pages already. What belongs to nobody yet appears here.')}
      </Empty>
    )
  }
  return (
    <ul class="list inbox">
      {of.map((each) => (
        <InboxRow key={each.id} of={each} among={of} onDecided={onDecided} />
      ))}
    </ul>
  )
}
