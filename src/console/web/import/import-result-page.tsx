import { get } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import { useData } from '../data/use-data.ts'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { SubpageTitle } from '../parts/subpage-title.tsx'
import { useTitle } from '../parts/use-title.ts'
import { Moment } from '../parts/value.tsx'
import { resourceOf } from '../session/session.ts'
import { about, t } from '../text/texts.ts'
import { type Job, resultsOf } from './import-jobs.ts'
import { ImportResults } from './import-results.tsx'
import { importedBy, isRunning, UndoImport } from './import-undo.tsx'

/** A past import: what has happened to each of its rows. */
export function ImportResult({ id }: { id: string }) {
  const loaded = useData((signal) => get<Job>(`/api-v1-bulk/jobs/${id}`, signal), [id])
  const job = loaded.data
  const of = job && importedBy(job)
  const title = of ? about('Import of {noun}', resourceOf(of).plural) : t('Import')
  useTitle(title)
  useNews(({ record_id }) => record_id === id, loaded.refresh)
  return (
    <div class="page">
      <div class="heading">
        <div class="stack tight">
          <SubpageTitle of={{ page: '/import', plural: t('Import') }} title={title} />
          {job && (
            <p class="muted small">
              <Moment at={job.created_at} />
            </p>
          )}
        </div>
        {job && of && !isRunning(job) && job.created_records + job.updated_records > 0 && (
          <UndoImport ids={[id]} of={of} count={job.created_records + job.updated_records} />
        )}
      </div>
      {job && of && !loaded.error ? <Results job={job} of={of} /> : <LoadingOrError of={loaded} />}
    </div>
  )
}

function Results({ job, of }: { job: Job; of: string }) {
  const { id, processed_records } = job
  const loaded = useData((signal) => resultsOf(id, signal), [id, processed_records])
  return (
    <>
      {job.status === 'failed' && <p class="notice bad">{job.errors.at(-1)?.error ?? t('The import has failed.')}</p>}
      {isRunning(job) && <p class="notice">{t('The import is in progress.')}</p>}
      {loaded.data && !loaded.error ? (
        <ImportResults {...{ job, of }} results={loaded.data} />
      ) : (
        <LoadingOrError of={loaded} />
      )}
    </>
  )
}
