import { RefreshCw, Send } from 'lucide'
import { type Page, post } from '../data/http.ts'
import type { ChangeList } from '../data/list-state.ts'
import type { Loaded } from '../data/use-data.ts'
import { Empty } from '../parts/empty.tsx'
import { LoadingBody } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { notify } from '../parts/notes.tsx'
import { Pager } from '../parts/pager.tsx'
import { word } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { DeliveryEntry } from './delivery.tsx'
import { type Delivery, type Webhook, webhooksPath } from './webhook.ts'

export const deliveriesPerPage = 25

const statuses = ['', 'pending', 'succeeded', 'failed']

interface DeliveriesProps {
  of: Webhook
  loaded: Loaded<Page<Delivery>>
  /** The shown status; empty: all. */
  status: string
  page: number
  onChange: ChangeList
  onRefresh: () => void
  onQueued: () => void
}

/** The deliveries of a webhook, newest first. */
export function Deliveries({ of, loaded, status, page, onChange, onRefresh, onQueued }: DeliveriesProps) {
  const redeliver = async ({ id }: Delivery) => {
    await post(`${webhooksPath}/${of.id}/deliveries/${id}/redeliver`)
    notify(t('Delivery queued again.'))
    onQueued()
  }
  const { data } = loaded
  return (
    <section class="card" aria-label={t('Deliveries')} aria-busy={loaded.loading}>
      <header>
        <h2>{t('Deliveries')}</h2>
        <div class="row">
          <fieldset class="segments">
            <legend class="unseen">{t('Status')}</legend>
            {statuses.map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={each === status}
                onClick={() => onChange({ filters: each === '' ? {} : { status: each } })}
              >
                {word(each) || t('All')}
              </button>
            ))}
          </fieldset>
          <button type="button" class="button small" onClick={onRefresh}>
            <Icon of={RefreshCw} /> {t('Refresh')}
          </button>
        </div>
      </header>
      {data && !loaded.error ? (
        <ol class="list">
          {data.data.map((delivery) => (
            <DeliveryEntry
              key={delivery.id}
              of={delivery}
              onRedeliver={
                of.is_active && delivery.type !== 'log.pruned'
                  ? () => redeliver(delivery).catch((error) => notify(error.message))
                  : undefined
              }
            />
          ))}
        </ol>
      ) : (
        <LoadingBody of={loaded} shape="rows" />
      )}
      {data?.data.length === 0 && !loaded.error && (
        <Empty
          inCard
          icon={Send}
          title={status === '' ? t('No deliveries yet') : t('No deliveries are {status}', { status })}
        >
          {status === '' ? t('Send a ping to test the receiver.') : t('Deliveries are kept for 30 days.')}
        </Empty>
      )}
      {data && data.pagination.total > deliveriesPerPage && (
        <Pager of={data.pagination} at={page} onPage={(next) => onChange({ page: next })} />
      )}
    </section>
  )
}
