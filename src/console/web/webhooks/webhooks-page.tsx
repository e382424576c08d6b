import { Plus, Webhook as WebhookIcon } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { list } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import { useData } from '../data/use-data.ts'
import { usePlace } from '../data/use-place.ts'
import { useReturn } from '../data/use-return.ts'
import { Empty } from '../parts/empty.tsx'
import { LoadingBody } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { notify } from '../parts/notes.tsx'
import { showSecret } from '../parts/secret.tsx'
import { useTitle } from '../parts/use-title.ts'
import { environmentOf, href } from '../session/place.ts'
import { t } from '../text/texts.ts'
import { type Webhook, type WebhookWithSecret, webhooksMax, webhooksPath } from './webhook.ts'
import { eventsText } from './webhook-events.ts'
import { WebhookForm } from './webhook-form.tsx'
import { HealthBadge, HealthText } from './webhook-health.tsx'

/** The webhooks of this workspace, with their health. */
export function Webhooks() {
  useTitle(t('Webhooks'))
  const { route } = usePlace()
  const [creating, setCreating] = useState(false)
  const loaded = useData((signal) => list<Webhook>(webhooksPath, { limit: webhooksMax }, signal), [])
  useNews(({ resource }) => resource === 'webhook', loaded.refresh)
  useReturn(loaded.refresh)
  const create = (
    <button type="button" class="button primary" onClick={() => setCreating(true)}>
      <Icon of={Plus} /> {t('New webhook')}
    </button>
  )
  const save = (webhook: Webhook | WebhookWithSecret) => {
    setCreating(false)
    if ('secret' in webhook) {
      showSecret({
        title: t('The webhook is ready'),
        stored: t('The receiver verifies signatures with it.'),
        text: webhook.secret,
        onClose: () => route(href(`/webhooks/${webhook.id}`)),
      })
      loaded.reload()
    } else {
      notify(t('This webhook exists already, with the same URL and events.'))
      route(href(`/webhooks/${webhook.id}`))
    }
  }
  return (
    <div class="page">
      <div class="heading">
        <div class="stack tight">
          <h1>{t('Webhooks')}</h1>
          <p class="muted">
            {t('They send the changes of {environment} records to other programs.', {
              environment: environmentOf(location.pathname),
            })}
          </p>
        </div>
        {create}
      </div>
      <section class="card" aria-label={t('Webhooks')} aria-busy={loaded.loading}>
        {loaded.data && !loaded.error ? (
          <Listed webhooks={loaded.data.data} create={create} />
        ) : (
          <LoadingBody of={loaded} shape="rows" />
        )}
      </section>
      {creating && <WebhookForm onClose={() => setCreating(false)} onSaved={save} />}
    </div>
  )
}

function Listed({ webhooks, create }: { webhooks: Webhook[]; create: ComponentChildren }) {
  if (webhooks.length === 0) {
    return (
      <Empty icon={WebhookIcon} title={t('No webhooks yet')} actions={create}>
        {t('A webhook sends each change to a URL as it happens, signed with a secret.')}
      </Empty>
    )
  }
  return (
    <ul class="list">
      {webhooks.map((webhook) => (
        <Row key={webhook.id} of={webhook} />
      ))}
    </ul>
  )
}

function Row({ of }: { of: Webhook }) {
  return (
    <li class="wraps webhook">
      <div class="grow">
        <a href={href(`/webhooks/${of.id}`)}>{of.url}</a>
        {of.description && <div>{of.description}</div>}
        <div class="muted small">{eventsText(of)}</div>
      </div>
      <div class="health">
        <HealthBadge of={of} />
        <div class="muted small">
          <HealthText of={of} />
        </div>
      </div>
    </li>
  )
}
