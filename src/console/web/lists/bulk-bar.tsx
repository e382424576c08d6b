import { useRef, useState } from 'preact/hooks'
import { saveSelected } from '../data/export-records.ts'
import type { ListState } from '../data/list-state.ts'
import { viewOf } from '../data/resource-views.ts'
import { ask } from '../parts/dialog.tsx'
import { notify } from '../parts/notes.tsx'
import { declaredOf, fieldOf, resourceOf } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { countText, notifyChange } from '../undo/undo.ts'
import { type BulkAction, type BulkOutcome, idsOf, runBulk, selectedMax } from './bulk.ts'
import { BulkField, BulkNeeded } from './lazy-bulk-forms.ts'
import type { Selection } from './selection.ts'

interface BulkBarProps {
  of: string
  state: ListState
  /** The columns that the list shows. */
  columns: readonly string[]
  /** How many records the list finds. */
  total: number
  selection: Selection
  onDone: () => void
}

/** What can be done with all selected records at once. */
export function BulkBar({ of, state, columns, total, selection, onDone }: BulkBarProps) {
  const { operations } = resourceOf(of)
  const [field, setField] = useState<readonly string[]>()
  const [refused, setRefused] = useState<{ action: BulkAction; needed: BulkOutcome['needed'] }>()
  const [progress, setProgress] = useState<{ done: number; all: number }>()
  const stop = useRef<AbortController>(undefined)
  const ids = [...selection.ids]
  const count = ids.length
  if (count === 0) return null
  const run = async (action: BulkAction, those: readonly string[] = ids) => {
    stop.current = new AbortController()
    const all = those.length
    setProgress({ done: 0, all })
    const { signal } = stop.current
    const outcome = await runBulk({ of, ids: those, action, onProgress: (done) => setProgress({ done, all }), signal })
    const [tried, left] = [new Set(those), new Set(outcome.left)]
    setProgress(undefined)
    selection.clear()
    const kept = ids.filter((id) => left.has(id) || !tried.has(id)) // what failed can be tried again
    selection.setAll(kept, true)
    report(of, action, outcome)
    if (outcome.needed.size > 0 && !signal.aborted) setRefused({ action, needed: outcome.needed })
    onDone()
  }
  const selectAll = () =>
    idsOf(of, state).then(
      (all) => selection.setAll(all, true),
      ({ message }) => notify(t('Not selected: {message}', { message })),
    )
  const exportThem = () =>
    saveSelected(of, ids, columns).catch(({ message }) => notify(t('Not exported: {message}', { message })))
  const confirmDelete = () =>
    ask({
      title: t('Delete {count}?', { count: countText(of, count) }),
      body: t('The trash restores what is deleted, and the notification has an Undo.'),
      verb: t('Delete'),
      run: async () => void run({}),
    })
  if (progress !== undefined) {
    return (
      <section class="bulk-bar" aria-label={t('Selection')}>
        <progress max={progress.all} value={progress.done} aria-label={t('Progress')} />
        <span class="small">{t('{progress} of {count}', { progress: progress.done, count: progress.all })}</span>
        <button type="button" class="button small" onClick={() => stop.current?.abort()}>
          {t('Stop')}
        </button>
      </section>
    )
  }
  return (
    <section class="bulk-bar" aria-label={t('Selection')}>
      <span role="status">{t('{records} selected', { records: countText(of, count) })}</span>
      {count < Math.min(total, selectedMax) && (
        <button type="button" class="button small" onClick={selectAll}>
          {total > selectedMax
            ? t('Select the first {selectedMax}', { selectedMax })
            : t('Select all {total}', { total })}
        </button>
      )}
      {operations.includes('patch') &&
        actionsOf(of).map(({ label, names }) => (
          <button key={label} type="button" class="button small" onClick={() => setField(names)}>
            {label}
          </button>
        ))}
      <button type="button" class="button small" onClick={exportThem}>
        {t('Export selection')}
      </button>
      {operations.includes('delete') && (
        <button type="button" class="button small danger" onClick={confirmDelete}>
          {t('Delete')}
        </button>
      )}
      <button type="button" class="button small quiet" onClick={selection.clear}>
        {t('Clear selection')}
      </button>
      {refused && [...refused.needed.keys()].every((id) => selection.ids.has(id)) && (
        <BulkNeeded
          {...refused}
          onClose={() => setRefused(undefined)}
          onChosen={(action) => {
            setRefused(undefined)
            void run(action, [...refused.needed.keys()])
          }}
        />
      )}
      {field && (
        <BulkField
          {...{ of, count }}
          names={field}
          onClose={() => setField(undefined)}
          onChosen={(action) => {
            setField(undefined)
            void run(action)
          }}
        />
      )}
    </section>
  )
}

/** The fields that an action sets, by the text of its button. */
function actionsOf(of: string): { label: string; names: readonly string[] }[] {
  const { form, name } = viewOf(of)
  const settable = form.filter((name) => !fieldOf(of, name).fixed)
  const own = [
    { label: t('Assign'), names: ['assigned_to'] },
    { label: t('Stage'), names: ['stage_id'] },
    { label: t('Status'), names: ['status'] },
  ].filter(({ names }) => settable.includes(names[0]!))
  const known = [...own.flatMap(({ names }) => names), ...name]
  const others = [...settable.filter((each) => !known.includes(each)), ...declaredOf(of).map((field) => field.name)]
  return others.length > 0 ? [...own, { label: t('Set field'), names: others }] : own
}

function report(of: string, action: BulkAction, outcome: BulkOutcome): void {
  const { done, failures } = outcome
  const isDeletion = !action.set
  const reasons = [...failures].map(([message, count]) => {
    const values = { records: countText(of, count), message: message.replace(/\.$/, '') }
    return isDeletion ? t('{records} not deleted: {message}.', values) : t('{records} not changed: {message}.', values)
  })
  const records = countText(of, done)
  const summary = isDeletion ? t('{records} deleted.', { records }) : t('{records} changed.', { records })
  const text = [summary, ...reasons].join(' ')
  if (done > 0) notifyChange(text, outcome)
  else notify(text)
}
