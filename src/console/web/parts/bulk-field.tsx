import { useState } from 'preact/hooks'
import { isChoice } from '../choice.ts'
import { stageValues } from '../deal-moves.ts'
import { get } from '../http.ts'
import type { Values } from '../merge.ts'
import { fieldOf } from '../session.ts'
import { t } from '../texts.ts'
import { countText } from '../undo.ts'
import type { Row } from '../views.ts'
import { FieldInput } from './field-input.tsx'
import { FormDialog } from './form-dialog.tsx'
import { useForm } from './use-form.ts'

interface BulkFieldProps {
  of: string
  count: number
  /** The fields to choose from. */
  names: readonly string[]
  onChosen: (values: Record<string, unknown>) => void
  onClose: () => void
}

/** Asks for the value that a field of all selected records gets. */
export function BulkField({ of, count, names, onChosen, onClose }: BulkFieldProps) {
  const [name, setName] = useState(names[0]!)
  const { default: _, ...field } = fieldOf(of, name)
  const form = useForm<Values, Record<string, unknown>>({
    initial: Object.fromEntries(names.map((each) => [each, null])),
    save: async (values) => valuesFor(of, name, values[name]),
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
      <FieldInput key={name} field={field} {...form.field(name)} autoFocus />
    </FormDialog>
  )
}

async function valuesFor(of: string, name: string, value: unknown): Promise<Record<string, unknown>> {
  if (!isChoice(value)) return { [name]: value }
  if (of !== 'deal' || name !== 'stage_id') return { [name]: value.id }
  return stageValues(await get<Row>(`/api-v1-stages/${value.id}`))
}
