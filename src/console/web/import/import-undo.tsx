import { useState } from 'preact/hooks'
import { importTypeOf } from '../../../lib/plural.ts'
import { get, list } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import { useData } from '../data/use-data.ts'
import { Card } from '../parts/card.tsx'
import { LoadingBody } from '../parts/error-notice.tsx'
import { Pager } from '../parts/pager.tsx'
import { Moment } from '../parts/value.tsx'
import { href } from '../session/place.ts'
import { description, resourceOf } from '../session/session.ts'
import { number } from '../text/format.ts'
import { counted, t } from '../text/texts.ts'
import { countText } from '../undo/undo.ts'
import { UndoDialog } from '../undo/undo-dialog.tsx'
import type { Job } from './import-jobs.ts'

const pageSize = 10

/** The imports of this workspace, newest first, each with a button to undo it. */
export function Imports({ importable }: { importable: readonly string[] }) {
  const [page, setPage] = useState(1)
  const types = importable.map((of) => importTypeOf(resourceOf(of))).join()
  const query = { 'filter[type][in]': types, dry_run: 'false', sort: 'created_at:desc', limit: pageSize, page }
  const loaded = useData(
    async (signal) => {
      const jobs = await list<Job>('/api-v1-bulk/jobs', query, signal)
      const ids = jobs.data.map(({ id }) => id).join()
      const undone = ids === '' ? [] : await get<string[]>(`/console/undone-imports?ids=${ids}`, signal)
      return { ...jobs, undone }
    },
    [page],
  )
  useNews(({ resource }) => resource === 'bulk_job', loaded.refresh)
  if (loaded.data?.pagination.total === 0) return null
  return (
    <Card label={t('Earlier imports')}>
      {loaded.data ? (
        <ul class="list">
          {loaded.data.data.map((job) => (
            <Import key={job.id} job={job} isUndone={loaded.data!.undone.includes(job.id)} />
          ))}
        </ul>
      ) : (
        <LoadingBody of={loaded} shape="rows" />
      )}
      {loaded.data && loaded.data.pagination.total > pageSize && (
        <Pager of={loaded.data.pagination} at={page} onPage={setPage} />
      )}
    </Card>
  )
}

/** The resource that a job imports; undefined for a job of another kind. */
export function importedBy({ type }: Job): string | undefined {
  return description.value!.resources.find((each) => importTypeOf(each) === type)?.name
}

/** Whether an import of these records can be undone. */
export function isUndoable(of: string): boolean {
  return resourceOf(of).operations.includes('delete')
}

export function isRunning({ status }: Job): boolean {
  return status === 'queued' || status === 'processing'
}

function Import({ job, isUndone }: { job: Job; isUndone: boolean }) {
  const { id, created_records, updated_records, unchanged_records, failed_records, created_at } = job
  const of = importedBy(job)!
  const changed = created_records + updated_records
  return (
    <li class="wraps">
      <div class="grow">
        <a href={href(`/import/${id}`)}>{countText(of, changed + unchanged_records)}</a>
        <div class="muted small">
          <Moment at={created_at} />
          {updated_records > 0 && ` · ${t('{n} updated', { n: number(updated_records) })}`}
          {failed_records > 0 && ` · ${t('{rows} failed', { rows: counted('{n} row|{n} rows', failed_records) })}`}
          {isRunning(job) && ` · ${t('in progress')}`}
          {isUndone && ` · ${t('undone')}`}
        </div>
      </div>
      {!isRunning(job) && changed > 0 && (
        <UndoImport ids={[id]} of={of} count={changed} at={created_at} isUndone={isUndone} />
      )}
    </li>
  )
}

interface UndoImportProps {
  /** The jobs of the import. */
  ids: readonly string[]
  of: string
  /** How many records were created or updated. */
  count: number
  /** When, in a list, in which each import has such a button. */
  at?: string
  /** Whether it was undone already. */
  isUndone?: boolean
}

/** Nothing if the records are of a kind that is never deleted. */
export function UndoImport({ ids, of, count, at, isUndone }: UndoImportProps) {
  const [open, setOpen] = useState(false)
  if (!isUndoable(of)) return null
  return (
    <>
      {!isUndone && (
        <button type="button" class={at ? 'button small' : 'button'} onClick={() => setOpen(true)}>
          {t('Undo import')}
          {at && (
            <span class="unseen">
              {' '}
              {countText(of, count)}, <Moment at={at} />
            </span>
          )}
        </button>
      )}
      {open && (
        <UndoDialog
          title={t('Undo the import of {about}?', { about: countText(of, count) })}
          selections={ids.map((bulk_job_id) => ({ bulk_job_id }))}
          effect={t('Deleted')}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
