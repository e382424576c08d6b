import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { planUndo, type QueuedUndo, type Selection, type UndoReport, undo } from '../data/change-log.ts'
import { useAttempt } from '../data/use-attempt.ts'
import { useData } from '../data/use-data.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ErrorNotice, LoadingOrError } from '../parts/error-notice.tsx'
import { t } from '../text/texts.ts'
import { keptBy, reportUndo } from './undo.ts'
import { UndoPlan } from './undo-plan.tsx'

interface UndoDialogProps {
  title: string
  /** What is undone, one after the other. */
  selections: readonly Selection[]
  effect: string
  onClose: () => void
  formerValue?: (field: string) => ComponentChildren
  /** What is to be undone. */
  children?: ComponentChildren
}

/** Shows what an undo would do, and does it. */
export function UndoDialog({ title, selections, effect, onClose, formerValue, children }: UndoDialogProps) {
  const [force, setForce] = useState(false)
  const { busy, error, attempt } = useAttempt()
  const plan = useData(() => planAll(selections, force), [JSON.stringify(selections), force])
  const { data: report } = plan
  const run = async () => {
    const done = await undoAll(selections, force)
    onClose()
    reportUndo(done)
  }
  return (
    <Dialog title={title} small {...(!busy && { onClose })}>
      {children}
      {report && !plan.error ? <UndoPlan of={report} {...{ effect, formerValue }} /> : <LoadingOrError of={plan} />}
      {(force || (report && keepsSome(report))) && (
        <label class="check">
          <input type="checkbox" checked={force} onChange={() => setForce(!force)} />
          {t('Undo also what was changed again since')}
        </label>
      )}
      <ErrorNotice error={error} />
      <div class="actions">
        <button type="button" class="button" disabled={busy} onClick={onClose}>
          {t('Cancel')}
        </button>
        <button
          type="button"
          class="button primary"
          disabled={busy || plan.loading || !report || report.reversed.length === 0}
          onClick={() => void attempt(run)}
        >
          {t('Undo')}
        </button>
      </div>
    </Dialog>
  )
}

function keepsSome(report: UndoReport): boolean {
  return keptBy(report).length > 0 || report.reversed.some(({ kept_fields }) => kept_fields.length > 0)
}

async function planAll(selections: readonly Selection[], force: boolean): Promise<UndoReport> {
  const reports: UndoReport[] = []
  for (const selection of selections) reports.push(await planUndo(selection, { force }))
  return joined(reports)
}

async function undoAll(selections: readonly Selection[], force: boolean): Promise<UndoReport | QueuedUndo> {
  const reports: UndoReport[] = []
  for (const selection of selections) {
    const done = await undo(selection, { force })
    if ('job_id' in done) return done // more changes than an import has: nothing else is selected with them
    reports.push(done)
  }
  return joined(reports)
}

/** The report of several undos is a new object: it has no request that could be undone. */
function joined(reports: readonly UndoReport[]): UndoReport {
  if (reports.length === 1) return reports[0]!
  const all = (name: keyof UndoReport) => reports.flatMap((report) => report[name])
  return { reversed: all('reversed'), kept: all('kept'), errored: all('errored') }
}
