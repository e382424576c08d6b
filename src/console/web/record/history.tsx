import { Pencil, Undo2 } from 'lucide'
import { useState } from 'preact/hooks'
import { actorText, type Change, verbOf } from '../data/change-log.ts'
import { list } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import { useData } from '../data/use-data.ts'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { Older } from '../parts/older.tsx'
import { Moment } from '../parts/value.tsx'
import { resourceOf } from '../session/session.ts'
import { verbLabel, verbs } from '../text/change-verbs.ts'
import { t } from '../text/texts.ts'
import { ChangedFields } from '../undo/change-value.tsx'
import { UndoChange } from '../undo/lazy-undo-change.ts'

const pageSize = 20

interface HistoryProps {
  of: string
  id: string
  /** The record as it is shown: a new object means that it was loaded again. */
  row?: object | undefined
}

/** The changes of a record, newest first, each with a button to undo it. */
export function History({ of, id, row }: HistoryProps) {
  const [pages, setPages] = useState(1)
  const path = `/${resourceOf(of).path}/${id}/history`
  const loaded = useData((signal) => loadPages(path, pages, signal), [path, pages, row])
  useNews((news) => news.record_id === id, loaded.refresh)
  const [undone, setUndone] = useState<Change>()
  if (!loaded.data) return <LoadingOrError of={loaded} />
  const { changes, hasMore } = loaded.data
  return (
    <>
      <ol class="timeline">
        {changes.map((change) => (
          <Entry key={change.seq} change={change} onUndo={() => setUndone(change)} />
        ))}
      </ol>
      <Older of={loaded} hasMore={hasMore} onMore={() => setPages(pages + 1)} />
      {undone && <UndoChange change={undone} onClose={() => setUndone(undefined)} />}
    </>
  )
}

async function loadPages(path: string, pages: number, signal: AbortSignal) {
  const changes: Change[] = []
  let cursor: string | undefined
  for (let n = 0; n < pages; n++) {
    const { data, pagination } = await list<Change>(path, { limit: pageSize, cursor }, signal)
    changes.push(...data)
    cursor = pagination.next_cursor ?? undefined
    if (cursor === undefined) break
  }
  return { changes, hasMore: cursor !== undefined }
}

function Entry({ change, onUndo }: { change: Change; onUndo: () => void }) {
  const { actor, at, cause } = change
  const verb = verbOf(change)
  const label = verbLabel(verb)
  return (
    <li>
      <span class="mark">
        <Icon of={cause?.reverts ? Undo2 : (verbs[verb]?.icon ?? Pencil)} />
      </span>
      <div class="stack tight">
        <div class="entry">
          <div class="grow">
            <strong>{label}</strong>
            {cause?.reverts && t(' by an undo')}
            {cause?.merge && verb !== 'merged' && t(' by a merge')}
            <div class="muted small">
              {actorText(actor)}
              {cause?.mcp && ` · ${agentText(cause.mcp.client, cause.proposal)}`} · <Moment at={at} />
            </div>
          </div>
          {canUndo(change) && (
            <button type="button" class="button small" aria-label={t('Undo: {label}', { label })} onClick={onUndo}>
              {t('Undo')}
            </button>
          )}
        </div>
        <ChangedFields of={change} />
      </div>
    </li>
  )
}

function agentText(client: string | null, proposal: string | undefined): string {
  const name = client ?? t('an agent')
  return proposal ? t('proposed by {name}', { name }) : t('through {name}', { name })
}

/** What cannot be deleted cannot be undone, and nothing is left of what was erased. */
function canUndo({ resource, data }: Change): boolean {
  return data !== null && resourceOf(resource).operations.includes('delete')
}
