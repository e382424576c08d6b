import { useState } from 'preact/hooks'
import { isChoice } from '../data/choice.ts'
import type { Values } from '../data/form-merge.ts'
import { isLost, probabilityIn } from '../deals/deal-moves.ts'
import { ReasonField } from '../deals/reason-field.tsx'
import { FieldInput } from '../forms/field-input.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { isOrdered } from '../forms/reference-select.tsx'
import { useForm } from '../forms/use-form.ts'
import { fieldOf } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { countText } from '../undo/undo.ts'
import type { BulkAction } from './bulk.ts'

interface BulkFieldProps {
  of: string
  count: number
  /** The fields to choose from. */
  names: readonly string[]
  onChosen: (action: BulkAction) => void
  onClose: () => void
}

/** Asks for the value that a field of all selected records gets. */
export function BulkField({ of, count, names, onChosen, onClose }: BulkFieldProps) {
  const [name, setName] = useState(names[0]!)
  const { default: _, chosen: __, ...field } = fieldOf(of, name)
  const form = useForm<Values, BulkAction>({
    initial: { ...Object.fromEntries(names.map((each) => [each, null])), reason: '' },
    save: async (values) => actionFor(name, values),
    onSaved: onChosen,
  })
  return (
    <FormDialog
      title={t('Change {count}', { count: countText(of, count) })}
      small
      of={form}
      verb={t('Change')}
      onClose={onClose}
    >
      {names.length > 1 && (
        <label class="field">
          {t('Field')}
          <select class="input" value={name} onChange={({ currentTarget }) => setName(currentTarget.value)}>
            {names.map((each) => (
              <option key={each} value={each}>
                {fieldOf(of, each).label}
              </option>
            ))}
          </select>
        </label>
      )}
      <FieldInput
        key={name}
        field={field}
        {...form.field(name)}
        inRecord={field.target !== undefined && isOrdered(field.target)}
        autoFocus
      />
      {isLost(form.values[name]) && (
        <ReasonField value={form.values.reason as string} onValue={(reason) => form.set({ reason })} />
      )}
    </FormDialog>
  )
}

function actionFor(name: string, { [name]: value, reason }: Values): BulkAction {
  if (!isChoice(value)) return { set: { [name]: value } }
  const stage = isLost(value) && reason !== '' && { reason: { stage: value.label, text: String(reason) } }
  return { set: { [name]: value.id, ...probabilityIn(value.kind) }, ...stage }
}
