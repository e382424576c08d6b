import type { DescribedCollection, DescribedField } from '../../description.ts'
import type { Values } from '../data/form-merge.ts'
import { isAddressType } from '../data/item-values.ts'
import { itemTypeOf, itemTypeText } from '../text/item-types.ts'
import { FieldInput } from './field-input.tsx'
import type { FieldState } from './use-form.ts'

interface ItemFieldProps extends FieldState<unknown> {
  collection: DescribedCollection
  field: DescribedField
  /** The values of the item, one of which may be the currency of another. */
  item: Values
  autoFocus?: boolean
}

/** The input for a field of an item. The type of an address is shown in the user's language. */
export function ItemField({ collection, item, ...props }: ItemFieldProps) {
  const { field, value, onValue } = props
  if (!isAddressType(collection, field) || typeof value !== 'string')
    return <FieldInput {...props} currency={field.currency && item[field.currency]} />
  const take = (text: unknown) => onValue(typeof text === 'string' ? itemTypeOf(text) : text)
  return <FieldInput {...props} value={itemTypeText(value)} onValue={take} />
}
