import { useState } from 'preact/hooks'
import type { ApiKey } from '../../../access/key.ts'
import type { UsageReport } from '../../../access/usage-report.ts'
import type { User } from '../../../access/user.ts'
import { get, patch, post } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import { useData } from '../data/use-data.ts'
import { useReturn } from '../data/use-return.ts'
import { DetailCard } from '../parts/detail-card.tsx'
import { ask } from '../parts/dialog.tsx'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { notify } from '../parts/notes.tsx'
import { SubpageTitle } from '../parts/subpage-title.tsx'
import { useTitle } from '../parts/use-title.ts'
import { Moment } from '../parts/value.tsx'
import { now } from '../session/now.ts'
import { environmentOf } from '../session/place.ts'
import { isAdmin } from '../session/session.ts'
import { offeredRoles } from '../settings/user-row.tsx'
import { moment, number, word } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { KeyForm } from './key-form.tsx'
import { conditionOf, KeyState } from './key-state.tsx'
import { KeyUndo } from './key-undo.tsx'
import { UsageChart } from './usage-chart.tsx'

/** An API key: its scopes, its usage, and how to disable or revoke it. */
export function KeyPage({ id }: { id: string }) {
  const loaded = useData((signal) => readKey(id, signal), [id])
  const { key, user } = loaded.data ?? {}
  useTitle(key?.name ?? t('API key'))
  useNews(({ record_id }) => record_id === id, loaded.refresh)
  useReturn(loaded.refresh)
  if (!key || loaded.error) {
    return (
      <div class="page">
        <h1 class="unseen">{t('API key')}</h1>
        <LoadingOrError of={loaded} />
      </div>
    )
  }
  return (
    <div class="page">
      <div class="heading">
        <div class="stack tight">
          <SubpageTitle of={{ page: '/keys', plural: t('API keys') }} title={key.name}>
            <KeyState of={key} />
          </SubpageTitle>
        </div>
        <div class="row">
          {isAdmin() && key.environment === environmentOf(location.pathname) && <UndoButton of={key} />}
          <Actions of={key} isOffered={!user || offeredRoles().includes(user.role)} onChanged={loaded.reload} />
        </div>
      </div>
      <Usage id={id} />
      <KeyFacts of={key} user={user} />
    </div>
  )
}

/** A key and, if it is personal, its user, who can be missing. */
async function readKey(id: string, signal: AbortSignal): Promise<{ key: ApiKey; user?: User | undefined }> {
  const key = await get<ApiKey>(`/api-v1-keys/${id}`, signal)
  if (!key.user_id) return { key }
  return { key, user: await get<User>(`/api-v1-users/${key.user_id}`, signal).catch(() => undefined) }
}

function UndoButton({ of }: { of: ApiKey }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen(true)}>
        {t('Undo changes…')}
      </button>
      {open && <KeyUndo of={of} onClose={() => setOpen(false)} />}
    </>
  )
}

interface ActionsProps {
  of: ApiKey
  /** Whether the user may change the key: others than owners only revoke that of an owner. */
  isOffered: boolean
  onChanged: () => void
}

function Actions({ of: key, isOffered, onChanged }: ActionsProps) {
  const [editing, setEditing] = useState(false)
  if (key.revoked_at && !editing) return null // what is typed stays
  const path = `/api-v1-keys/${key.id}`
  const change = async (is_active: boolean) => {
    await patch(path, { is_active })
    notify(is_active ? t('Key enabled.') : t('Key disabled.'))
    onChanged()
  }
  return (
    <div class="row">
      {isOffered && (
        <button type="button" class="button" onClick={() => setEditing(true)}>
          {t('Edit')}
        </button>
      )}
      {isOffered && (
        <button
          type="button"
          class="button"
          onClick={() =>
            key.is_active
              ? askToDisable(key, () => change(false))
              : change(true).catch((error) => notify(error.message))
          }
        >
          {key.is_active ? t('Disable') : t('Enable')}
        </button>
      )}
      <button type="button" class="button danger" onClick={() => askToRevoke(key, onChanged)}>
        {t('Revoke')}
      </button>
      {editing && (
        <KeyForm
          apiKey={key}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false)
            onChanged()
          }}
        />
      )}
    </div>
  )
}

function askToDisable({ name }: ApiKey, run: () => Promise<void>): void {
  ask({
    title: t('Disable {name}?', { name }),
    body: t('Requests with this key are rejected until you enable it again.'),
    verb: t('Disable'),
    run,
  })
}

function askToRevoke({ id, name }: ApiKey, onRevoked: () => void): void {
  ask({
    title: t('Revoke {name}?', { name }),
    body: t(
      'Requests with this key are rejected from now on. This cannot be undone: programs that use the key need a new one.',
    ),
    verb: t('Revoke permanently'),
    async run() {
      await post(`/api-v1-keys/${id}/revoke`)
      notify(t('Key revoked.'))
      onRevoked()
    },
  })
}

const spans = [
  { name: 'day', label: t('Days'), days: 30 },
  { name: 'week', label: t('Weeks'), days: 182 },
  { name: 'month', label: t('Months'), days: 365 },
] as const

function Usage({ id }: { id: string }) {
  const [span, setSpan] = useState<(typeof spans)[number]>(spans[0])
  const to = now().toISOString().slice(0, 10)
  const from = new Date(Date.parse(to) - (span.days - 1) * 86_400_000).toISOString().slice(0, 10)
  const loaded = useData(
    (signal) => get<UsageReport>(`/api-v1-keys/${id}/usage?from=${from}&to=${to}`, signal),
    [id, from],
  )
  return (
    <section class="card" aria-label={t('Requests')}>
      <header>
        <h2>
          {t('Requests')} {loaded.data && <span class="muted number">{number(loaded.data.total.requests)}</span>}
        </h2>
        <fieldset class="segments">
          <legend class="unseen">{t('Counted by')}</legend>
          {spans.map((each) => (
            <button key={each.name} type="button" aria-pressed={each === span} onClick={() => setSpan(each)}>
              {each.label}
            </button>
          ))}
        </fieldset>
      </header>
      <div class="body">
        {loaded.data && !loaded.error ? (
          <UsageChart days={loaded.data.days} by={span.name} />
        ) : (
          <LoadingOrError of={loaded} shape="chart" />
        )}
      </div>
    </section>
  )
}

function typeOf(key: ApiKey, user: User | undefined): string {
  if (user) return t('Personal, of {full_name}', { full_name: user.full_name })
  return key.user_id ? t('Personal') : t('Shared')
}

function KeyFacts({ of: key, user }: { of: ApiKey; user: User | undefined }) {
  return (
    <DetailCard
      of={[
        [t('Starts with'), <code key="prefix">{key.prefix}</code>],
        [t('Description'), key.description],
        [t('Data'), key.environment === 'live' ? t('Live') : t('Test')],
        [t('Type'), typeOf(key, user)],
        [t('Scopes'), key.scopes.join(', ')],
        [t('Agents may'), word(key.mcp_mode)],
        [t('Expires'), key.expires_at && moment(key.expires_at)],
        [t('Revoked'), key.revoked_at && moment(key.revoked_at)],
        [t('Last used'), key.last_used_at ? <Moment key="used" at={key.last_used_at} /> : t('Never')],
        [t('Last IP address'), key.last_used_ip],
        [t('Total requests'), number(key.request_count)],
        [t('Created'), moment(key.created_at)],
      ]}
    >
      {conditionOf(key) === 'expired' && (
        <p class="body muted">{t('The key has expired. To use it again, set a later expiry date.')}</p>
      )}
    </DetailCard>
  )
}
