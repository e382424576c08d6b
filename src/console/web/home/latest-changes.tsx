import { History } from 'lucide'
import { actorText, type Change, verbOf } from '../data/change-log.ts'
import { get } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import { isListed, titleOf, viewOf } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { useReturn } from '../data/use-return.ts'
import { Card } from '../parts/card.tsx'
import { Empty } from '../parts/empty.tsx'
import { WhenLoaded } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/value.tsx'
import { href } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { verbLabel } from '../text/change-verbs.ts'
import { t } from '../text/texts.ts'
import { countText, fieldLabel } from '../undo/undo.ts'

/** The newest of several equal changes of one request. */
type Latest = Omit<Change, 'seq'> & { count: number }

/** What all users and programs of the company have changed last. */
export function LatestChanges() {
  const loaded = useData((signal) => get<Latest[]>('/console/latest-changes', signal), [])
  useReturn(loaded.reload)
  useNews(({ resource }) => resource !== 'activity', loaded.refresh)
  return (
    <Card label={t('Latest changes')} beside={<a href={href('/trash')}>{t('Trash')}</a>}>
      <WhenLoaded loaded={loaded}>
        {loaded.data?.length === 0 ? (
          <Empty inCard icon={History} title={t('Nothing changed yet')}>
            {t('What you, your colleagues and your programs create, change and delete appears here.')}
          </Empty>
        ) : (
          <ul class="list">
            {loaded.data?.map((change) => (
              <Row key={`${change.record_id} ${change.at} ${change.type}`} change={change} />
            ))}
          </ul>
        )}
      </WhenLoaded>
    </Card>
  )
}

function Row({ change }: { change: Latest }) {
  const { resource, actor, at, changed, count } = change
  const verb = verbOf(change)
  const fields = verb === 'updated' ? ` ${changed.map((name) => fieldLabel(resource, name)).join(', ')}` : ''
  return (
    <li>
      <Icon of={viewOf(resource).icon} />
      <div class="grow">
        <Subject of={change} />
        <div class="muted small">
          {verbLabel(verb)}
          {count === 1 && fields} · {actorText(actor)} · <Moment at={at} />
        </div>
      </div>
    </li>
  )
}

/** The changed record with a link to its history, or how many were changed with it. */
function Subject({ of: { resource, record_id, data, count } }: { of: Latest }) {
  const { label, page } = resourceOf(resource)
  if (count > 1) return <a href={href(page)}>{countText(resource, count)}</a>
  const title = data ? titleOf(resource, data) : label
  if (!isListed(resource)) return <a href={href(page)}>{title}</a>
  return <a href={href(`${page}/${record_id}?show=history`)}>{title}</a>
}
