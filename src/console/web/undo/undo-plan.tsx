import { type ComponentChildren, Fragment } from 'preact'
import type { Undone, UndoReport } from '../data/change-log.ts'
import { t } from '../text/texts.ts'
import { RecordName } from './change-value.tsx'
import { countsText, fieldLabel, keptBy, keptFieldsText, reasonsOf } from './undo.ts'

interface UndoPlanProps {
  of: UndoReport
  /** What happens to records that are deleted or restored: `Deleted`; for one record, a sentence. */
  effect: string
  /** For one record: the former value of a field. */
  formerValue: ((field: string) => ComponentChildren) | undefined
}

const namedMax = 5

/** What an undo would do: what comes back, what is kept, and what is in the way. */
export function UndoPlan({ of, effect, formerValue }: UndoPlanProps) {
  const { reversed, errored } = of
  const changed = reversed.filter(({ fields }) => fields.length > 0)
  const turned = reversed.filter(({ fields }) => fields.length === 0)
  const keptFields = keptFieldsText(reversed)
  return (
    <div class="stack" role="status">
      {reversed.length === 0 && <p>{t('Nothing can be undone.')}</p>}
      {turned.length > 0 && <p>{formerValue ? effect : `${effect}: ${countsText(turned)}.`}</p>}
      {changed.length > 0 &&
        (formerValue ? (
          <Fields names={changed[0]!.fields} of={changed[0]!.resource} formerValue={formerValue} />
        ) : (
          <p>{t('Former values come back: {counts}.', { counts: countsText(changed) })}</p>
        ))}
      {keptFields !== '' && <p class="notice warn">{keptFields}</p>}
      <Left title={t('Kept')} of={keptBy(of)} isOne={formerValue !== undefined} />
      <Left title={t('Not undone')} of={errored} isOne={formerValue !== undefined} />
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
      <p>{names.length === 1 ? t('This value comes back:') : t('These values come back:')}</p>
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
          {of.length > namedMax && <li>{t('and {value} more', { value: of.length - namedMax })}</li>}
        </ul>
      </div>
    </div>
  )
}
