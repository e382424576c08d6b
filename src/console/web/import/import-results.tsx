import { Download } from 'lucide'
import { useState } from 'preact/hooks'
import { list } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import { type Row, titleOf } from '../data/resource-views.ts'
import { saveFile } from '../data/save-file.ts'
import { useData } from '../data/use-data.ts'
import { Icon } from '../parts/icon.tsx'
import { Pager } from '../parts/pager.tsx'
import { Segments } from '../parts/segments.tsx'
import { href } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { word } from '../text/format.ts'
import { serverText } from '../text/server-texts.ts'
import { t } from '../text/texts.ts'
import type { Job, JobResult } from './import-jobs.ts'
import { writeCsv } from './sheet.ts'

const rowsPerPage = 50
const outcomes = ['created', 'updated', 'unchanged', 'failed'] as const

interface ImportResultsProps {
  job: Job
  of: string
  results: readonly JobResult[]
}

/** The rows of an import with their records or errors; failed rows first, if there are any. */
export function ImportResults({ job, of, results }: ImportResultsProps) {
  const counts = outcomes.map((each) => [each, results.filter(({ outcome }) => outcome === each).length] as const)
  const [shown, setShown] = useState(job.failed_records > 0 ? 'failed' : '')
  const [page, setPage] = useState(1)
  const matching = results.filter(({ outcome }) => shown === '' || outcome === shown)
  const rows = matching.slice((page - 1) * rowsPerPage, page * rowsPerPage)
  const titleFor = useTitles(of, rows)
  const show = (each: string) => {
    setShown(each)
    setPage(1)
  }
  return (
    <>
      <Segments label={t('Result')}>
        {[['', results.length] as const, ...counts]
          .filter(([each, count]) => each === '' || count > 0)
          .map(([each, count]) => (
            <button type="button" key={each} aria-pressed={each === shown} onClick={() => show(each)}>
              {each === '' ? t('All') : word(each)} <span class="number">{count.toLocaleString()}</span>
            </button>
          ))}
      </Segments>
      <section class="card" aria-label={t('Rows')}>
        <header>
          <h2>{t('Rows')}</h2>
          <button type="button" class="button small" onClick={() => save(of, results)}>
            <Icon of={Download} /> {t('Results')}
          </button>
        </header>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">{t('Row')}</th>
                <th scope="col">{t('Result')}</th>
                <th scope="col">{resourceOf(of).label}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ row, outcome, id, errors }) => (
                <tr key={row}>
                  <th scope="row" class="number">
                    {row}
                  </th>
                  <td>
                    <span class={`badge ${outcome === 'failed' ? 'bad' : outcome === 'created' ? 'good' : ''}`}>
                      {word(outcome)}
                    </span>
                  </td>
                  <td class="wrap">
                    {errors.length > 0 && <span class="fault">{errorsText(errors)}</span>}
                    {id !== null && <a href={href(`${resourceOf(of).page}/${id}`)}>{titleFor(id)}</a>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {matching.length > rowsPerPage && (
          <Pager of={{ total: matching.length, page, limit: rowsPerPage }} onPage={setPage} />
        )}
      </section>
    </>
  )
}

/** Returns a function that returns the title of the record of a row. A deleted record has none. */
function useTitles(of: string, rows: readonly JobResult[]): (id: string) => string {
  const ids = [...new Set(rows.flatMap(({ id }) => id ?? []))].join()
  const loaded = useData(
    async (signal) => {
      if (ids === '') return new Map<string, string>()
      const query = { 'filter[id][in]': ids, limit: rowsPerPage }
      const { data } = await list<Row>(`/${resourceOf(of).path}`, query, signal)
      return new Map(data.map((record) => [String(record.id), titleOf(of, record)]))
    },
    [of, ids],
  )
  useNews(({ record_id }) => ids.includes(record_id), loaded.refresh)
  const { data, loading, error } = loaded
  return (id) => data?.get(id) ?? (loading || error ? '…' : t('Deleted'))
}

function errorsText(errors: JobResult['errors']): string {
  return errors.map(({ error }) => serverText(error)).join('; ')
}

/** Saves what has happened to each row. */
function save(of: string, results: readonly JobResult[]): void {
  const rows = results.map(({ row, outcome, id, errors }) => [String(row), outcome, id ?? '', errorsText(errors)])
  const csv = writeCsv(['row', 'outcome', 'id', 'errors'], rows)
  const file = new Blob([`\uFEFF${csv}`], { type: 'text/csv' })
  saveFile(file, `${resourceOf(of).plural.toLowerCase()}-import.csv`)
}
