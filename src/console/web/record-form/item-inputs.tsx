import { Plus } from 'lucide'
import type { DescribedField } from '../../description.ts'
import type { Values } from '../data/form-merge.ts'
import { isItemFilled, newItem } from '../data/record-values.ts'
import { TextField } from '../forms/form.tsx'
import type { FormState } from '../forms/use-form.ts'
import { Icon } from '../parts/icon.tsx'
import { word } from '../text/format.ts'
import { itemTypeOf, itemTypeText } from '../text/item-types.ts'
import { about, t } from '../text/texts.ts'
import { Removable } from './removable.tsx'

interface ItemInputsProps {
  of: string
  /** `emails` */
  name: string
  fields: DescribedField[]
  form: FormState<Values>
}

/** The emails or phones of a new contact, with an empty one at first. Those that stay empty are not sent. */
export function ItemInputs({ of, name, fields, form }: ItemInputsProps) {
  const [main] = fields
  const items = form.values[name] as Values[]
  const onItems = (next: Values[]) => form.set({ [name]: next })
  const change = (at: number, values: Values) =>
    onItems(items.map((item, index) => (index === at ? { ...item, ...values } : item)))
  /** The place among those that are sent, which the errors of the server name. */
  const sentAt = (at: number) => items.slice(0, at).filter((item) => isItemFilled(of, name, item)).length
  const faultAt = (at: number, field: string) =>
    isItemFilled(of, name, items[at]!) ? form.fault(`${name}[${sentAt(at)}].${field}`) : undefined
  return (
    <fieldset class="stack tight">
      <legend class="unseen">{word(name)}</legend>
      {items.map((item, at) => (
        <Removable
          key={at}
          label={about('Remove this {noun}', main!.label)}
          onRemove={() => onItems(items.filter((_, index) => index !== at))}
        >
          <TextField
            label={main!.label}
            type={main!.kind === 'email' ? 'email' : 'tel'}
            value={String(item[main!.name] ?? '')}
            onValue={(value) => change(at, { [main!.name]: value })}
            fault={faultAt(at, main!.name)}
            autoFocus={at > 0}
          />
          <TextField
            label={t('Type')}
            value={itemTypeText(String(item.type ?? 'work'))}
            onValue={(type) => change(at, { type: itemTypeOf(type) })}
            fault={faultAt(at, 'type')}
          />
        </Removable>
      ))}
      <div>
        <button type="button" class="button small" onClick={() => onItems([...items, newItem(of, name)])}>
          <Icon of={Plus} /> {about('Add {noun}', main!.label)}
        </button>
      </div>
    </fieldset>
  )
}
