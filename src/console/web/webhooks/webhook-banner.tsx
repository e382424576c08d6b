import { TriangleAlert } from 'lucide'
import { fetchInBackground } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import { useData } from '../data/use-data.ts'
import { useReturn } from '../data/use-return.ts'
import { Icon } from '../parts/icon.tsx'
import { T } from '../parts/rich-text.tsx'
import { Moment } from '../parts/value.tsx'
import { environmentOf, href } from '../session/place.ts'
import { t } from '../text/texts.ts'
import { healthOf, needsAttention, ownChanges, type Webhook, webhooksMax, webhooksPath } from './webhook.ts'

/** Tells on every page that webhooks are disabled, or have been failing for more than a day. */
export function WebhookBanner() {
  const loaded = useData(load, [ownChanges.value])
  useNews(({ resource }) => resource === 'webhook', loaded.refresh)
  useReturn(loaded.refresh) // the stream does not tell how deliveries end
  const concerned = loaded.data?.filter(needsAttention) ?? []
  const [first] = concerned
  return (
    <div role="status">
      {first && (
        <p class="alarm">
          <Icon of={TriangleAlert} />
          {concerned.length === 1 ? <One of={first} /> : <Several count={concerned.length} />}
        </p>
      )}
    </div>
  )
}

/** The user has not asked for it, so a session that has ended is no reason to sign in again. */
async function load(signal: AbortSignal): Promise<Webhook[]> {
  const environment = environmentOf(location.pathname)
  const response = await fetchInBackground(`${webhooksPath}?limit=${webhooksMax}`, { environment, signal })
  if (!response.ok) throw new Error(response.statusText)
  return (await response.json()).data
}

function One({ of }: { of: Webhook }) {
  const { host } = new URL(of.url)
  return (
    <span>
      {healthOf(of) === 'disabled' ? (
        t('The webhook to {host} was disabled: it receives nothing.', { host })
      ) : (
        <T
          text="The webhook to {host} has been failing since {time}."
          host={host}
          time={<Moment at={of.failing_since!} />}
        />
      )}{' '}
      <a href={href(`/webhooks/${of.id}`)}>{t('Show webhook')}</a>
    </span>
  )
}

function Several({ count }: { count: number }) {
  return (
    <span>
      {t('{count} webhooks are disabled or have been failing for more than a day.', { count })}{' '}
      <a href={href('/webhooks')}>{t('Show webhooks')}</a>
    </span>
  )
}
