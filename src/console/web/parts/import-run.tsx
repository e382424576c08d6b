import { Download } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { reasonColumn } from '../../../files/match.ts'
import { type Sheet, writeCsv } from '../csv.ts'
import { plural } from '../format.ts'
import { type Mapping, type Plan, type Prepared, prepareRecords } from '../import-plan.ts'
import { checkRecords, importRecords, type Outcome, type RowFaults } from '../import-run.ts'
import { href } from '../place.ts'
import { saveFile } from '../save-file.ts'
import { resourceOf } from '../session.ts'
import { countText } from '../undo.ts'
import { ErrorNotice } from './error-notice.tsx'
import { Icon } from './icon.tsx'
import { ImportPreview } from './import-preview.tsx'
import { UndoImport } from './import-undo.tsx'

interface ImportRunProps {
  of: string
  plan: Plan
  mapping: Mapping
  onBack: () => void
  onDone: () => void
  onAgain: () => void
}

/** Checks every row, shows the errors, and imports the valid rows. */
export function ImportRun({ of, plan, mapping, onBack, onDone, onAgain }: ImportRunProps) {
  const { sheet } = plan
  const [prepared, setPrepared] = useState<Prepared>()
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
  const check = async () => {
    const made = await prepareRecords(plan, mapping)
    setPrepared(made)
    const found = await checkRecords(of, made.records, track('Checking', made.records.length))
    return new Map([...found, ...made.faults])
  }
  useEffect(() => {
    void run(check(), setFaults)
  }, [of, plan, mapping])
  const begin = () => {
    const { records } = prepared!
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
      {prepared && faults && !outcome && !progress && (
        <Checked {...{ plan, mapping, prepared, faults, onBack }} onBegin={begin} />
      )}
    </div>
  )
}

interface CheckedProps {
  plan: Plan
  mapping: Mapping
  prepared: Prepared
  faults: RowFaults
  onBack: () => void
  onBegin: () => void
}

/** What the check has found, before anything is written. */
function Checked({ plan: { sheet }, mapping, prepared, faults, onBack, onBegin }: CheckedProps) {
  const { records, duplicates } = prepared
  return (
    <>
      <p role="status">
        {faults.size === 0
          ? `All ${plural(records.length, 'row')} can be imported.`
          : `${plural(records.length - faults.size, 'row')} can be imported, ${plural(faults.size, 'row')} cannot.`}
      </p>
      {duplicates.length > 0 && <p class="notice warn">{duplicatesText(duplicates)}</p>}
      <ImportPreview {...{ sheet, mapping, faults }} />
      <div class="actions">
        <button type="button" class="button" onClick={onBack}>
          Change the columns
        </button>
        {faults.size > 0 && <DownloadFailed sheet={sheet} faults={faults} />}
        <button type="button" class="button primary" disabled={faults.size === records.length} onClick={onBegin}>
          Import {plural(records.length - faults.size, 'row')}
        </button>
      </div>
    </>
  )
}

const duplicatesShown = 10

function duplicatesText(duplicates: Prepared['duplicates']): string {
  const shown = duplicates.slice(0, duplicatesShown)
  const rows = shown.map(
    ({ row, of, by }) => `${row + 2} (the same ${by === 'email' ? 'email' : 'cells'} as ${of + 2})`,
  )
  const more = duplicates.length > shown.length ? ', …' : ''
  const verb = duplicates.length === 1 ? 'repeats' : 'repeat'
  return `${plural(duplicates.length, 'row')} ${verb} an earlier one and will be imported again: ${rows.join(', ')}${more}`
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
    const file = new Blob([`\uFEFF${writeCsv([...sheet.columns, reasonColumn], rows)}`], { type: 'text/csv' })
    saveFile(file, `${sheet.name.replace(/\.\w+$/, '')}-failed.csv`)
  }
  return (
    <button type="button" class="button" onClick={download}>
      <Icon of={Download} /> Failed rows
    </button>
  )
}
