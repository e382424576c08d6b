import { useState } from 'preact/hooks'
import { actorText, type Change, planUndo, type Undone, verbOf } from '../data/change-log.ts'
import { useData } from '../data/use-data.ts'
import { Moment } from '../parts/value.tsx'
import { resourceOf } from '../session/session.ts'
import { verbLabel } from '../text/change-verbs.ts'
import { about, type Text, t } from '../text/texts.ts'
import { FieldValue, formerRow } from './change-value.tsx'
import { countsText } from './undo.ts'
import { UndoDialog } from './undo-dialog.tsx'

/** What undoing a change does to the record. */
const effects: Readonly<Record<string, Text>> = {
  created: 'The {noun} is deleted.',
  deleted: 'The {noun} is restored.',
  restored: 'The {noun} is deleted.',
}

/** What happens to records without former values if all that was changed together with a change is undone. */
function effectOnAll(verb: string): string {
  if (verb === 'deleted') return t('Restored')
  return verb === 'created' ? t('Deleted') : t('Deleted or restored')
}

/** Asks whether to undo a change of a record, alone or with everything that the same request changed. */
export function UndoChange({ change, onClose }: { change: Change; onClose: () => void }) {
  const { seq, request_id, resource, actor, at } = change
  const verb = verbOf(change)
  const all = useData(() => listTogether(request_id), [request_id]).data ?? []
  const [isAll, setIsAll] = useState(false)
  const ofOne = {
    selections: [{ seq }],
    effect: about(effects[verb] ?? 'The {noun} is changed.', resourceOf(resource).label),
    formerValue: (name: string) => <FieldValue of={resource} name={name} row={formerRow(change)} />,
  }
  const ofAll = { selections: [{ request_id: request_id! }], effect: effectOnAll(verb) }
  return (
    <UndoDialog title={t('Undo this change?')} onClose={onClose} {...(isAll ? ofAll : ofOne)}>
      <p class="muted">
        {t('{verb} by {name}', { verb: verbLabel(verb), name: actorText(actor) })} · <Moment at={at} />
      </p>
      {all.length > 1 && (
        <label class="check">
          <input type="checkbox" checked={isAll} onChange={() => setIsAll(!isAll)} />
          {t('Undo all that was changed together with it: {counts}', { counts: countsText(all) })}
        </label>
      )}
    </UndoDialog>
  )
}

/** The records that a request changed, for example those that were selected in a list. */
async function listTogether(request_id: string | null): Promise<Undone[]> {
  if (request_id === null) return []
  const { reversed, kept, errored } = await planUndo({ request_id }, {})
  return [...reversed, ...kept, ...errored]
}
