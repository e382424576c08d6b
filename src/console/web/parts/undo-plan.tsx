import { type ComponentChildren, Fragment } from 'preact'
import type { Undone, UndoReport } from '../changes.ts'
import { countsText, fieldLabel, keptFieldsText, reasonsOf } from '../undo.ts'
import { RecordName } from './change-value.tsx'

interface UndoPlanProps {
  of: UndoReport
  /** What happens to records that are deleted or restored: `Deleted`; for one record, a sentence. */
  effect: string
  /** For one record: the former value of a field. */
  formerValue: ((field: string) => ComponentChildren) | undefined
}

const namedMax = 5

/** What an undo would do: what comes back, what is kept, and what is in the way. */
export function UndoPlan({ of: { reversed, kept, errored }, effect, formerValue }: UndoPlanProps) {
  const changed = reversed.filter(({ fields }) => fields.length > 0)
  const turned = reversed.filter(({ fields }) => fields.length === 0)
  const keptFields = keptFieldsText(reversed)
  return (
    <div class="stack" role="status">
      {reversed.length === 0 && <p>Nothing can be undone.</p>}
      {turned.length > 0 && <p>{formerValue ? effect : `${effect}: ${countsText(turned)}.`}</p>}
      {changed.length > 0 &&
        (formerValue ? (
          <Fields names={changed[0]!.fields} of={changed[0]!.resource} formerValue={formerValue} />
        ) : (
          <p>Former values come back: {countsText(changed)}.</p>
        ))}
      {keptFields !== '' && <p class="notice warn">Kept, because changed again since: {keptFields}.</p>}
      <Left title="Kept" of={kept} isOne={formerValue !== undefined} />
      <Left title="Not undone" of={errored} isOne={formerValue !== undefined} />
    </div>
  )
}

interface FieldsProps {
  names: readonly string[]
  of: string
  formerValue: (field: string) => ComponentChildren
}

function Fields({ names, of, formerValue }: FieldsProps) {
  return (
    <>
      <p>{names.length === 1 ? 'This value comes back:' : 'These values come back:'}</p>
      <dl class="facts">
        {names.map((name) => (
          <Fragment key={name}>
            <dt>{fieldLabel(of, name)}</dt>
            <dd>{formerValue(name)}</dd>
          </Fragment>
        ))}
      </dl>
    </>
  )
}

/** Records that are not undone, with the reasons. */
function Left({ title, of, isOne }: { title: string; of: readonly Undone[]; isOne: boolean }) {
  if (of.length === 0) return null
  if (isOne) return <p class="notice warn">{reasonsOf(of)}.</p>
  return (
    <div class="notice warn">
      <div class="stack tight">
        <p>
          {title}: {countsText(of)}. {reasonsOf(of)}.
        </p>
        <ul>
          {of.slice(0, namedMax).map(({ resource, record_id }) => (
            <li key={record_id}>
              <RecordName of={resource} id={record_id} />
            </li>
          ))}
          {of.length > namedMax && <li>and {of.length - namedMax} more</li>}
        </ul>
      </div>
    </div>
  )
}
