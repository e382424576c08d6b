import { href } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { number } from '../text/format.ts'
import { counted, noun, t } from '../text/texts.ts'
import { countText } from '../undo/undo.ts'
import { DownloadFailed } from './import-download.tsx'
import type { Outcome, RowResult } from './import-jobs.ts'
import { UndoImport } from './import-undo.tsx'
import type { Sheet } from './sheet.ts'

interface ImportSummaryProps {
  of: string
  sheet: Sheet
  outcome: Outcome
  onAgain: () => void
}

/** What an import has done. */
export function ImportSummary({ of, sheet, outcome: { jobs, results }, onAgain }: ImportSummaryProps) {
  const { plural: name, page } = resourceOf(of)
  const count = (of: RowResult['outcome']) => [...results.values()].filter(({ outcome }) => outcome === of).length
  const [created, updated, unchanged, failures] = [
    ...[count('created'), count('updated'), count('unchanged'), count('failed')],
  ] as [number, number, number, number]
  const parts = [
    (created > 0 || updated + unchanged === 0) && t('{records} imported', { records: countText(of, created) }),
    updated > 0 && t('{n} updated', { n: number(updated) }),
    unchanged > 0 && t('{n} unchanged', { n: number(unchanged) }),
    failures > 0 && t('{rows} failed', { rows: counted('{n} row|{n} rows', failures) }),
  ]
  return (
    <>
      <h2>{parts.filter(Boolean).join(', ')}</h2>
      {failures > 0 && <p>{t('Download the failed rows with their errors, correct them, and import that file.')}</p>}
      <div class="actions">
        <button type="button" class="button" onClick={onAgain}>
          {t('Import another file')}
        </button>
        {created + updated > 0 && <UndoImport ids={jobs} of={of} count={created + updated} />}
        {failures > 0 && <DownloadFailed sheet={sheet} results={results} />}
        <a class="button primary" href={href(jobs.length === 1 ? `/import/${jobs[0]}` : `${page}?sort=-created_at`)}>
          {t('Show {name}', { name: noun(name) })}
        </a>
      </div>
    </>
  )
}
