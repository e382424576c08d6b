import { Plus } from 'lucide'
import type { DescribedField } from '../../description.ts'
import { word } from '../format.ts'
import type { Values } from '../merge.ts'
import { TextField } from './form.tsx'
import { Icon } from './icon.tsx'
import { Removable } from './removable.tsx'
import type { FormState } from './use-form.ts'

interface ItemInputsProps {
  /** `emails` */
  name: string
  fields: DescribedField[]
  form: FormState<Values>
}

/** The emails or phones of a new contact. */
export function ItemInputs({ name, fields, form }: ItemInputsProps) {
  const [main] = fields
  const items = form.values[name] as Values[]
  const onItems = (next: Values[]) => form.set({ [name]: next })
  const change = (at: number, values: Values) =>
    onItems(items.map((item, index) => (index === at ? { ...item, ...values } : item)))
  return (
    <fieldset class="stack tight">
      <legend>{word(name)}</legend>
      {items.map((item, at) => (
        <Removable
          key={at}
          label={`Remove this ${main!.label.toLowerCase()}`}
          onRemove={() => onItems(items.filter((_, index) => index !== at))}
        >
          <TextField
            label={main!.label}
            type={main!.kind === 'email' ? 'email' : 'tel'}
            value={String(item[main!.name] ?? '')}
            onValue={(value) => change(at, { [main!.name]: value })}
            fault={form.fault(`${name}[${at}].${main!.name}`)}
            autoFocus
          />
          <TextField
            label="Type"
            value={String(item.type ?? 'work')}
            onValue={(type) => change(at, { type })}
            fault={form.fault(`${name}[${at}].type`)}
          />
        </Removable>
      ))}
      <div>
        <button type="button" class="button small" onClick={() => onItems([...items, { type: 'work' }])}>
          <Icon of={Plus} /> Add {main!.label.toLowerCase()}
        </button>
      </div>
    </fieldset>
  )
}
