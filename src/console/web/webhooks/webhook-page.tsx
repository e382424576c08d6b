import { get, isGone } from '../data/http.ts'
import { useListState } from '../data/list-state.ts'
import { useNews } from '../data/news.ts'
import { useData } from '../data/use-data.ts'
import { usePages } from '../data/use-pages.ts'
import { useReturn } from '../data/use-return.ts'
import { DetailCard } from '../parts/detail-card.tsx'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { SubpageTitle } from '../parts/subpage-title.tsx'
import { useTitle } from '../parts/use-title.ts'
import { DeletedRecord } from '../record/deleted-record.tsx'
import { GoneNotice } from '../record/gone-notice.tsx'
import { moment } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { Deliveries, deliveriesPerPage } from './deliveries.tsx'
import { useFollowing } from './delivery-looks.ts'
import { type Delivery, type Webhook, webhooksPath } from './webhook.ts'
import { WebhookActions } from './webhook-actions.tsx'
import { eventsText } from './webhook-events.ts'
import { HealthBadge, HealthText } from './webhook-health.tsx'

/** A webhook: its health, its deliveries, and what can be done with it. */
export function WebhookPage({ id }: { id: string }) {
  const loaded = useData((signal) => get<Webhook>(`${webhooksPath}/${id}`, signal), [id])
  const webhook = loaded.data
  useTitle(webhook ? t('Webhook {url}', { url: webhook.url }) : t('Webhook'))
  useNews(({ record_id }) => record_id === id, loaded.refresh)
  const gone = isGone(loaded.error)
  if (!webhook && gone) {
    return <DeletedRecord key={id} of="webhook" id={id} error={loaded.error!} onRestored={loaded.reload} />
  }
  if (!webhook || (loaded.error && !gone)) {
    return (
      <div class="page">
        <h1 class="unseen">{t('Webhook')}</h1>
        <LoadingOrError of={loaded} />
      </div>
    )
  }
  return <Loaded key={id} of={webhook} gone={gone} onChanged={loaded.reload} onProgress={loaded.refresh} />
}

interface LoadedProps {
  of: Webhook
  /** Whether it has been deleted since. */
  gone: boolean
  onChanged: () => void
  /** Deliveries may have changed the health. */
  onProgress: () => unknown
}

function Loaded({ of, gone, onChanged, onProgress }: LoadedProps) {
  const [{ page, filters }, change] = useListState()
  const status = filters.status ?? ''
  const deliveries = usePages<Delivery>(
    `${webhooksPath}/${of.id}/deliveries`,
    { status, page, limit: deliveriesPerPage },
    (last) => change({ page: last }, 'replace'),
  )
  const refresh = () => Promise.all([onProgress(), deliveries.refresh()])
  const follow = useFollowing(refresh)
  useReturn(refresh)
  const onRestored = () => {
    onChanged()
    deliveries.reload()
  }
  return (
    <div class="page">
      {gone && <GoneNotice of="webhook" id={of.id} title={of.url} onRestored={onRestored} />}
      <div class="heading">
        <div class="stack tight">
          <SubpageTitle of={{ page: '/webhooks', plural: t('Webhooks') }} title={of.url} />
        </div>
        <WebhookActions {...{ of, gone, onChanged }} onQueued={follow} />
      </div>
      <WebhookFacts of={of} />
      {!gone && (
        <Deliveries
          {...{ of, status, page }}
          loaded={deliveries}
          onChange={change}
          onRefresh={refresh}
          onQueued={follow}
        />
      )}
    </div>
  )
}

function WebhookFacts({ of }: { of: Webhook }) {
  const health = (
    <>
      <HealthBadge of={of} /> <HealthText of={of} />
    </>
  )
  return (
    <DetailCard
      of={[
        [t('Health'), health],
        [t('Description'), of.description],
        [t('Events'), eventsText(of)],
        [t('Payload'), of.payload === 'full' ? t('Full') : t('Thin: only which record has changed')],
        [
          t('Order'),
          of.ordered ? t('Each delivery waits for the one before') : t('Deliveries may arrive out of order'),
        ],
        [t('Created'), moment(of.created_at)],
      ]}
    />
  )
}
