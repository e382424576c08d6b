import { Download } from 'lucide'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Sheet, writeCsv } from '../csv.ts'
import { plural } from '../format.ts'
import { type Mapping, recordsOf } from '../import-plan.ts'
import { checkRecords, importRecords, type Outcome, type RowFaults } from '../import-run.ts'
import { href } from '../place.ts'
import { resourceOf } from '../session.ts'
import { countText } from '../undo.ts'
import { ErrorNotice } from './error-notice.tsx'
import { Icon } from './icon.tsx'
import { ImportPreview } from './import-preview.tsx'
import { UndoImport } from './import-undo.tsx'

interface ImportRunProps {
  of: string
  sheet: Sheet
  mapping: Mapping
  onBack: () => void
  onDone: () => void
  onAgain: () => void
}

/** Checks every row, shows the errors, and imports the valid rows. */
export function ImportRun({ of, sheet, mapping, onBack, onDone, onAgain }: ImportRunProps) {
  const records = useMemo(() => recordsOf(of, sheet, mapping), [of, sheet, mapping])
  const [faults, setFaults] = useState<RowFaults>()
  const [outcome, setOutcome] = useState<Outcome>()
  const [progress, setProgress] = useState<{ done: number; of: number; verb: string }>()
  const [error, setError] = useState<Error>()
  const track = (verb: string, total: number) => (done: number) => setProgress({ done, of: total, verb })
  const run = async <T,>(work: Promise<T>, then: (result: T) => void) => {
    try {
      then(await work)
    } catch (reason) {
      setError(reason as Error)
    }
    setProgress(undefined)
  }
  useEffect(() => {
    void run(checkRecords(of, records, track('Checking', records.length)), setFaults)
  }, [records])
  const begin = () => {
    const sound = records.length - faults!.size
    setError(undefined)
    void run(importRecords(of, records, faults!, track('Importing', sound)), (result) => {
      setOutcome(result)
      onDone()
    })
  }
  return (
    <div class="card padded stack">
      <ErrorNotice error={error} />
      {progress && <Progress {...progress} />}
      {outcome && <Summary {...{ of, sheet, outcome, onAgain }} />}
      {faults && !outcome && !progress && (
        <>
          <p role="status">
            {faults.size === 0
              ? `All ${plural(records.length, 'row')} can be imported.`
              : `${plural(records.length - faults.size, 'row')} can be imported, ${plural(faults.size, 'row')} cannot.`}
          </p>
          <ImportPreview {...{ sheet, mapping, faults }} />
          <div class="actions">
            <button type="button" class="button" onClick={onBack}>
              Change the columns
            </button>
            {faults.size > 0 && <DownloadFailed sheet={sheet} faults={faults} />}
            <button type="button" class="button primary" disabled={faults.size === records.length} onClick={begin}>
              Import {plural(records.length - faults.size, 'row')}
            </button>
          </div>
        </>
      )}
    </div>
  )
}

function Progress({ done, of, verb }: { done: number; of: number; verb: string }) {
  return (
    <div class="stack tight">
      <label for="import-progress">
        {verb}… {done.toLocaleString()} of {of.toLocaleString()}
      </label>
      <progress id="import-progress" class="progress" value={done} max={of} />
    </div>
  )
}

interface SummaryProps {
  of: string
  sheet: Sheet
  outcome: Outcome
  onAgain: () => void
}

function Summary({ of, sheet, outcome, onAgain }: SummaryProps) {
  const { jobs, imported, faults, unexplained } = outcome
  const { plural: name, page } = resourceOf(of)
  return (
    <>
      <h2>
        {imported.toLocaleString()} {name.toLowerCase()} imported
        {faults.size + unexplained > 0 && `, ${plural(faults.size + unexplained, 'row')} failed`}
      </h2>
      {faults.size > 0 && <p>Download the failed rows with their errors, correct them, and import that file.</p>}
      {unexplained > 0 && <p class="notice warn">The server gave no reason for {plural(unexplained, 'row')}.</p>}
      <div class="actions">
        <button type="button" class="button" onClick={onAgain}>
          Import another file
        </button>
        {imported > 0 && <UndoImport ids={jobs} about={countText(of, imported)} />}
        {faults.size > 0 && <DownloadFailed sheet={sheet} faults={faults} />}
        <a class="button primary" href={href(page)}>
          Show {name.toLowerCase()}
        </a>
      </div>
    </>
  )
}

function DownloadFailed({ sheet, faults }: { sheet: Sheet; faults: RowFaults }) {
  const download = () => {
    const rows = [...faults].sort(([a], [b]) => a - b).map(([at, reasons]) => [...sheet.rows[at]!, reasons.join('; ')])
    const file = new Blob([`\uFEFF${writeCsv([...sheet.columns, 'Error'], rows)}`], { type: 'text/csv' })
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file)
    link.download = `${sheet.name.replace(/\.\w+$/, '')}-failed.csv`
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <button type="button" class="button" onClick={download}>
      <Icon of={Download} /> Failed rows
    </button>
  )
}
