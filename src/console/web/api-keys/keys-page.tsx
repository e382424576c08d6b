import { KeyRound, Plus } from 'lucide'
import { useState } from 'preact/hooks'
import type { ApiKey } from '../../../access/key.ts'
import type { UsageReport } from '../../../access/usage-report.ts'
import { get } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import { useData } from '../data/use-data.ts'
import { usePages } from '../data/use-pages.ts'
import { useReturn } from '../data/use-return.ts'
import { Empty } from '../parts/empty.tsx'
import { LoadingBody } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { Pager } from '../parts/pager.tsx'
import { showKey } from '../parts/secret.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { useTitle } from '../parts/use-title.ts'
import { Moment } from '../parts/value.tsx'
import { environmentOf, href } from '../session/place.ts'
import { isAdmin } from '../session/session.ts'
import { number } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { KeyForm } from './key-form.tsx'
import { KeyState, scopesText } from './key-state.tsx'

const pageSize = 50

/** The keys of this workspace; members see their own. */
export function Keys() {
  useTitle(t('API keys'))
  const [page, setPage] = useState(1)
  const [creating, setCreating] = useState(false)
  const environment = environmentOf(location.pathname)
  const query = { environment, limit: pageSize, page }
  const loaded = usePages<ApiKey>('/api-v1-keys', query, setPage)
  useNews(({ resource }) => resource === 'api_key', loaded.refresh)
  useReturn(loaded.refresh)
  const create = (
    <button type="button" class="button primary" onClick={() => setCreating(true)}>
      <Icon of={Plus} /> {t('New key')}
    </button>
  )
  return (
    <div class="page">
      <div class="heading">
        <div class="stack tight">
          <h1>{t('API keys')}</h1>
          <p class="muted">
            {isAdmin()
              ? t('Programs use them to read and write {environment} data.', { environment })
              : t('Your personal keys: your programs use them to read and write {environment} data.', { environment })}
          </p>
        </div>
        <div class="row">
          <a class="button" href={href('/agents')}>
            {t('Connect an agent')}
          </a>
          {create}
        </div>
      </div>
      <div class="card">
        {loaded.data && !loaded.error ? (
          <Listed keys={loaded.data.data} create={create} />
        ) : (
          <LoadingBody of={loaded} shape="rows" />
        )}
        {loaded.data && loaded.data.pagination.total > pageSize && (
          <Pager of={loaded.data.pagination} at={page} onPage={setPage} />
        )}
      </div>
      {creating && (
        <KeyForm
          onClose={() => setCreating(false)}
          onSaved={(key) => {
            setCreating(false)
            showKey(key as ApiKey & { key: string })
            loaded.reload()
          }}
        />
      )}
    </div>
  )
}

const columns: Column<ApiKey>[] = [
  {
    name: 'name',
    label: t('Name'),
    cell: ({ id, name, prefix }) => (
      <>
        <a href={href(`/keys/${id}`)}>{name}</a>
        <div class="muted mono">{prefix}…</div>
      </>
    ),
  },
  { name: 'state', label: t('Status'), cell: (key) => <KeyState of={key} /> },
  {
    name: 'last_used_at',
    label: t('Last used'),
    cell: ({ last_used_at, last_used_ip }) =>
      last_used_at ? (
        <>
          <Moment at={last_used_at} />
          <div class="muted small">{last_used_ip}</div>
        </>
      ) : (
        <span class="muted">{t('Never')}</span>
      ),
  },
  { name: 'request_count', label: t('Requests'), end: true, cell: ({ request_count }) => number(request_count) },
  { name: 'requests', label: t('30 days'), cell: ({ id }) => <Recent id={id} /> },
  {
    name: 'scopes',
    label: t('Type and scopes'),
    leaves: 'p3',
    cell: ({ type, scopes }) => (
      <>
        {type === 'personal' ? t('Personal') : t('Shared')}
        <div class="muted small" title={scopes.join(', ')}>
          {scopesText(scopes)}
        </div>
      </>
    ),
  },
]

function Listed({ keys, create }: { keys: ApiKey[]; create: preact.ComponentChildren }) {
  if (keys.length > 0) return <Table label={t('API keys')} columns={columns} rows={keys} />
  return (
    <Empty icon={KeyRound} title={t('No keys yet')} actions={create}>
      {t(
        "A key lets a program use the API in your company's name. Create one, copy it, and send it as a Bearer token.",
      )}
    </Empty>
  )
}

function Recent({ id }: { id: string }) {
  const { data } = useData((signal) => get<UsageReport>(`/api-v1-keys/${id}/usage`, signal), [id])
  return data ? (
    <Sparkline
      values={data.days.map(({ requests }) => requests)}
      label={t('{requests} requests in 30 days', { requests: number(data.total.requests) })}
    />
  ) : null
}

const [width, height] = [96, 24]

/** A line chart the size of a word. */
function Sparkline({ values, label }: { values: number[]; label: string }) {
  const most = Math.max(1, ...values)
  const step = width / Math.max(1, values.length - 1)
  const points = values.map(
    (value, at) => `${(at * step).toFixed(1)},${(height - 2 - (value / most) * (height - 4)).toFixed(1)}`,
  )
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={label}
    >
      <polyline points={points.join(' ')} fill="none" stroke="currentColor" stroke-width="1.5" />
    </svg>
  )
}
