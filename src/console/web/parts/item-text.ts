import type { DescribedCollection, DescribedField } from '../../description.ts'
import { isAddressType, isRank, mainOf } from '../data/item-values.ts'
import { type Row, withoutCurrency } from '../data/resource-views.ts'
import { exactAmount } from '../text/format.ts'
import { itemTypeText } from '../text/item-types.ts'
import { t } from '../text/texts.ts'
import { valueText } from './value-text.ts'

/** What an item is called: the value of its main field. */
export function itemTitle(collection: DescribedCollection, item: Row): string {
  return fieldText(mainOf(collection), item) || collection.label
}

/** What else is known of an item: `work`, `primary`, `Since: Jun 15, 2026`. */
export function itemFacts(collection: DescribedCollection, item: Row): string[] {
  const others = withoutCurrency(collection.fields).filter(({ name }) => name !== collection.main)
  return others.flatMap((field) => factOf(collection, field, item))
}

function factOf(collection: DescribedCollection, field: DescribedField, item: Row): string[] {
  const text = fieldText(field, item)
  if (text === '') return []
  if (isAddressType(collection, field)) return [itemTypeText(text)]
  if (isRank(field)) return !item[field.name] ? [] : [field.name === 'is_primary' ? t('primary') : field.label]
  return [`${field.label}: ${text}`]
}

function fieldText(field: DescribedField, item: Row): string {
  const value = item[field.name]
  if (value === null || value === undefined) return ''
  return field.currency ? exactAmount(value, item[field.currency]) : valueText(field, value)
}
