import { useEffect, useRef, useState } from 'preact/hooks'
import { ErrorNotice, LoadingOrError } from '../parts/error-notice.tsx'
import { t } from '../text/texts.ts'
import { type Choice, ImportCheck, importedRows } from './import-check.tsx'
import type { Fixes } from './import-errors.tsx'
import { checkRecords, failed, type Outcome, type Results, runJobs } from './import-jobs.ts'
import { type Mapping, matchOptions, type Plan, type Prepared, prepareRecords } from './import-plan.ts'
import { ImportSummary } from './import-summary.tsx'

interface ImportRunProps {
  of: string
  plan: Plan
  mapping: Mapping
  onBack: () => void
  onDone: () => void
  onAgain: () => void
}

/** Checks every row, shows what would happen, and imports the rows that can be. */
export function ImportRun({ of, plan: read, mapping, onBack, onDone, onAgain }: ImportRunProps) {
  const [plan, setPlan] = useState(read)
  const { sheet } = plan
  const options = matchOptions(of, mapping)
  const [prepared, setPrepared] = useState<Prepared>()
  const [results, setResults] = useState<Results>()
  const [outcome, setOutcome] = useState<Outcome>()
  const [choice, setChoice] = useState<Choice>({ matchOn: options[0]?.name, treatment: 'merge' })
  const [progress, setProgress] = useState<{ done: number; of: number; verb: string }>()
  const [error, setError] = useState<Error>()
  const track = (verb: string, total: number) => (done: number) => setProgress({ done, of: total, verb })
  const { matchOn } = choice
  useEffect(() => {
    let isCurrent = true
    const show = track(t('Checking'), sheet.rows.length)
    const onProgress = (done: number) => void (isCurrent && show(done))
    const check = async () => {
      onProgress(0) // from now on, what the former check has found is not imported
      const made = await prepareRecords(plan, mapping, matchOn)
      const found = await checkRecords(of, made, { match_on: matchOn, onProgress, hasLeft: () => !isCurrent })
      for (const [row, errors] of made.faults) found.set(row, failed([...found.get(row)!.errors, ...errors]))
      for (const [row, fault] of sheet.faults) found.set(row, failed([fault]))
      return { made, found }
    }
    setError(undefined)
    check().then(
      ({ made, found }) => {
        if (!isCurrent) return
        setPrepared(made)
        setResults(found)
        setProgress(undefined)
      },
      (reason) => {
        if (!isCurrent) return
        setPrepared(undefined)
        setError(reason)
        setProgress(undefined)
      },
    )
    return () => {
      isCurrent = false
    }
  }, [of, plan, mapping, matchOn])
  const [isBegun, hasLeft] = [useRef(false), useRef(false)]
  useEffect(
    () => () => {
      hasLeft.current = true
    },
    [],
  )
  const begin = async () => {
    if (isBegun.current) return // the second press of a double click
    isBegun.current = true
    const { records, sure } = prepared!
    const rows = importedRows(results!, choice)
    const onProgress = track(t('Importing'), rows.length)
    setError(undefined)
    onProgress(0) // the server may not be there for a while
    try {
      const envelope = envelopeOf(choice)
      const done = await runJobs(of, { records, sure, rows, envelope }, onProgress, () => hasLeft.current)
      const faults = [...results!].filter(([, { outcome }]) => outcome === 'failed')
      setOutcome({ ...done, results: new Map([...faults, ...done.results]) })
      onDone()
    } catch (reason) {
      setError(reason as Error)
      isBegun.current = false
    }
    setProgress(undefined)
  }
  const isChecking = progress?.verb === t('Checking')
  const check = prepared && results && !outcome && (!progress || isChecking) && { prepared, results, isChecking }
  return (
    <div class="card padded stack">
      {error && !prepared ? (
        <LoadingOrError of={{ error, reload: () => setPlan({ ...plan }) }}>
          <button type="button" class="button" onClick={onBack}>
            {t('Change the columns')}
          </button>
        </LoadingOrError>
      ) : (
        <ErrorNotice error={error} />
      )}
      {progress && <Progress {...progress} />}
      {outcome && <ImportSummary {...{ of, sheet, outcome, onAgain }} />}
      {check && (
        <ImportCheck
          {...{ of, plan, mapping, choice, options, onBack }}
          {...check}
          onChoice={setChoice}
          onBegin={begin}
          onFix={(fixes) => setPlan(fixed(plan, fixes))}
        />
      )}
    </div>
  )
}

/** The plan with the cells of some rows replaced. What was wrong with these rows as such is settled. */
function fixed(plan: Plan, fixes: Fixes): Plan {
  const { rows, faults } = plan.sheet
  const sheet = {
    ...plan.sheet,
    rows: rows.map((cells, row) => [...(fixes.get(row) ?? cells)]),
    faults: new Map([...faults].filter(([row]) => !fixes.has(row))),
  }
  return { ...plan, sheet }
}

function envelopeOf({ matchOn, treatment }: Choice) {
  if (matchOn === undefined || treatment === 'create') return {}
  return { match_on: matchOn, mode: treatment === 'skip' ? 'create_only' : treatment } as const
}

function Progress({ done, of, verb }: { done: number; of: number; verb: string }) {
  return (
    <div class="stack tight">
      <label for="import-progress">
        {t('{verb}… {done} of {of}', { verb, done: done.toLocaleString(), of: of.toLocaleString() })}
      </label>
      <progress id="import-progress" class="progress" value={done} max={of} />
    </div>
  )
}
