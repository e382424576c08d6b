import { useState } from 'preact/hooks'
import type { DescribedField } from '../../description.ts'
import { isChoice } from '../data/choice.ts'
import type { Values } from '../data/form-merge.ts'
import { useNames } from '../data/record-names.ts'
import { isLost, probabilityIn } from '../deals/deal-moves.ts'
import { ReasonField } from '../deals/reason-field.tsx'
import { FieldInput } from '../forms/field-input.tsx'
import { Field } from '../forms/form.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { isOrdered } from '../forms/record-groups.ts'
import { useForm } from '../forms/use-form.ts'
import { fieldOf } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { countText } from '../undo/undo.ts'
import type { BulkAction } from './bulk.ts'
import { isChosen, mayBeEmpty, outcomeText } from './bulk-value.ts'

interface BulkFieldProps {
  of: string
  count: number
  /** The fields to choose from. */
  names: readonly string[]
  onChosen: (action: BulkAction) => void
  onClose: () => void
}

/** Asks for the value that a field of all selected records gets, and says what will happen. Nothing is chosen at first, not even that the field becomes empty. */
export function BulkField({ of, count, names, onChosen, onClose }: BulkFieldProps) {
  const [name, setName] = useState(names.length === 1 ? names[0]! : '')
  const [isEmptied, setEmptied] = useState(false)
  const field = name === '' ? undefined : fieldOf(of, name)
  const form = useForm<Values, BulkAction>({
    initial: { ...Object.fromEntries(names.map((each) => [each, null])), reason: '' },
    save: async (values) => actionFor(name, values),
    onSaved: onChosen,
  })
  const choose = (chosen: string) => {
    setEmptied(false)
    form.set({ [name]: null })
    setName(chosen)
  }
  const empty = (is: boolean) => {
    setEmptied(is)
    form.set({ [name]: null })
  }
  const value = form.values[name]
  const userName = useNames(field?.kind === 'user' && typeof value === 'string' ? 'user' : undefined, String(value))
  const isReady = field !== undefined && (isEmptied || isChosen(value))
  return (
    <FormDialog
      title={t('Change {count}', { count: countText(of, count) })}
      small
      of={form}
      verb={t('Change')}
      isReady={isReady}
      onClose={onClose}
    >
      {names.length > 1 && <FieldSelect {...{ of, names, name }} onName={choose} />}
      {field && !isEmptied && <BulkInput key={name} field={field} {...form.field(name)} />}
      {field && mayBeEmpty(field) && (
        <label class="check">
          <input type="checkbox" checked={isEmptied} onChange={({ currentTarget }) => empty(currentTarget.checked)} />
          {field.target === 'user' ? t('Nobody') : t('No value')}
        </label>
      )}
      {isLost(value) && <ReasonField value={form.values.reason as string} onValue={(reason) => form.set({ reason })} />}
      <p role="status">{isReady && outcomeText(of, field, userName ?? value, count)}</p>
    </FormDialog>
  )
}

interface FieldSelectProps {
  of: string
  names: readonly string[]
  name: string
  onName: (name: string) => void
}

function FieldSelect({ of, names, name, onName }: FieldSelectProps) {
  return (
    <Field label={t('Field')}>
      {(wiring) => (
        <select {...wiring} value={name} onChange={({ currentTarget }) => onName(currentTarget.value)}>
          <option value="" disabled>
            {t('Choose a field')}
          </option>
          {names.map((each) => (
            <option key={each} value={each}>
              {fieldOf(of, each).label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface BulkInputProps {
  field: DescribedField
  value: unknown
  onValue: (value: unknown) => void
  fault: string | undefined
}

/** The field's input without a default: a flag is a select, which can be left open. */
function BulkInput({ field: { default: _, chosen: __, ...field }, ...input }: BulkInputProps) {
  const isSelect = field.target !== undefined && isOrdered(field.target)
  const shown = { ...field, required: true, ...(field.kind === 'flag' && { declared: true as const }) }
  return <FieldInput field={shown} {...input} inRecord={isSelect} autoFocus />
}

function actionFor(name: string, { [name]: value, reason }: Values): BulkAction {
  if (!isChoice(value)) return { set: { [name]: value } }
  const stage = name === 'stage_id' && { stage: value.label, ...(isLost(value) && { reason: String(reason) }) }
  return { set: { [name]: value.id, ...probabilityIn(value.kind) }, ...stage }
}
