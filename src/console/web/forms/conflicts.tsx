import type { DescribedField } from '../../description.ts'
import { isChoice } from '../data/choice.ts'
import type { Conflict, Side, Values } from '../data/form-merge.ts'
import { textOf } from '../data/metadata.ts'
import { DeclaredValue } from '../parts/declared-value.tsx'
import { Value } from '../parts/value.tsx'
import { word } from '../text/format.ts'
import { Invalid } from '../text/invalid.ts'
import { t } from '../text/texts.ts'
import type { FormState } from './use-form.ts'

interface ConflictsProps<T extends Values> {
  of: FormState<T>
  fields: readonly DescribedField[]
}

/** The fields that someone else changed while the form was open, with a choice between both values. */
export function Conflicts<T extends Values>({ of, fields }: ConflictsProps<T>) {
  if (of.conflicts.length === 0) return null
  return (
    <section class="notice warn conflicts stack" aria-label={t('Changed in the meantime')}>
      <p>{t('Somebody else changed this in the meantime. Choose what to keep, then save again.')}</p>
      {of.conflicts.map((conflict) => (
        <Choose
          key={conflict.name}
          {...{ conflict, fields }}
          values={of.values}
          onChoose={(side) => of.choose(conflict, side)}
        />
      ))}
    </section>
  )
}

interface ChooseProps {
  conflict: Conflict
  fields: readonly DescribedField[]
  values: Values
  onChoose: (side: Side) => void
}

function Choose({ conflict, fields, values, onChoose }: ChooseProps) {
  const field = fields.find(({ name }) => name === conflict.name)
  return (
    <fieldset class="stack tight">
      <legend>{field?.label ?? nameOf(conflict)}</legend>
      {(['mine', 'theirs'] as const).map((side) => (
        <label key={side} class="check">
          <input
            type="radio"
            name={`conflict-${conflict.name}`}
            checked={conflict.choice === side}
            onChange={() => onChoose(side)}
          />
          {side === 'mine' ? t('Mine:') : t('Theirs:')} <Shown field={field} value={conflict[side]} values={values} />
        </label>
      ))}
    </fieldset>
  )
}

/** The label of a conflict. A metadata entry has the name that the user gave it. */
function nameOf({ name }: Conflict): string {
  const [, entry] = /^metadata\.(.*)$/s.exec(name) ?? []
  return entry === undefined ? word(name) : t('Metadata: {entry}', { entry })
}

interface ShownProps {
  field: DescribedField | undefined
  value: unknown
  values: Values
}

function Shown({ field, value, values }: ShownProps) {
  if (value instanceof Invalid) return <span>{value.text || '–'}</span>
  if (isChoice(value)) return <span>{value.label}</span>
  if (Array.isArray(value)) return <span>{value.map((each) => (isChoice(each) ? each.label : each)).join(', ')}</span>
  if (!field) return <span>{value === undefined ? '–' : textOf(value)}</span>
  if (field.declared) return <DeclaredValue field={field} value={value} />
  const shown = field.currency ? (value as Values) : { [field.name]: value }
  const amount = shown[field.name]
  if (amount instanceof Invalid) return <span>{amount.text}</span>
  return <Value field={field} row={{ ...values, id: '', ...shown }} relation={undefined} />
}
