import { RefreshCw, Send } from 'lucide'
import { word } from '../format.ts'
import { type Page, post } from '../http.ts'
import type { ChangeList } from '../list-state.ts'
import { t } from '../texts.ts'
import type { Loaded } from '../use-data.ts'
import { type Delivery, type Webhook, webhooksPath } from '../webhooks.ts'
import { DeliveryEntry } from './delivery.tsx'
import { Empty } from './empty.tsx'
import { LoadingOrError } from './error-notice.tsx'
import { Icon } from './icon.tsx'
import { notify } from './notes.tsx'
import { Pager } from './pager.tsx'

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
        <div class="body">
          <LoadingOrError of={loaded} shape="rows" />
        </div>
      )}
      {data?.data.length === 0 && !loaded.error && (
        <Empty icon={Send} title={status === '' ? t('No deliveries yet') : t('No deliveries are {status}', { status })}>
          {status === '' ? t('Send a ping to test the receiver.') : t('Deliveries are kept for 30 days.')}
        </Empty>
      )}
      {data && data.pagination.total > deliveriesPerPage && (
        <Pager of={data.pagination} at={page} onPage={(next) => onChange({ page: next })} />
      )}
    </section>
  )
}
