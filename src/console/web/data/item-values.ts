import type { Detail } from '../../../errors.ts'
import type { DescribedCollection, DescribedField } from '../../description.ts'
import { resourceOf } from '../session/session.ts'
import { Invalid } from '../text/invalid.ts'
import type { Values } from './form-merge.ts'
import { initialValue } from './initial-value.ts'

export function mainOf({ main, fields }: DescribedCollection): DescribedField {
  return fields.find(({ name }) => name === main)!
}

/** Whether a field is the type of an address: `work` or any other text. */
export function isAddressType(collection: DescribedCollection, { name }: DescribedField): boolean {
  return name === 'type' && ['email', 'phone'].includes(mainOf(collection).kind)
}

/** Whether it is the flag of the first among the items, which the server sets if nobody says which one it is. */
export function isRank({ kind, default: fallback }: DescribedField): boolean {
  return kind === 'flag' && fallback === null
}

/** The fields that the form of a new record asks for. */
export function askedOf({ fields }: DescribedCollection): DescribedField[] {
  return fields.filter((field) => !field.readonly && !isRank(field))
}

/** The first items of a new record: an empty one if users see what is missing in it. Items that are complete as they are would be sent. */
export function firstItems(collection: DescribedCollection): Values[] {
  return isCompleteAtOnce(collection) ? [] : [newItem(collection)]
}

/** An item that nothing has been typed for. */
export function newItem(collection: DescribedCollection): Values {
  const entries = askedOf(collection).map((field) => [field.name, initialValue(field)])
  return Object.fromEntries(entries.filter(([, value]) => value !== null))
}

/** Whether an item is sent: something has been typed for it, other than the type of an address that is missing. */
export function isItemFilled(collection: DescribedCollection, item: Values): boolean {
  const first = newItem(collection)
  const isTyped = (field: DescribedField) =>
    !isAddressType(collection, field) && comparable(item[field.name]) !== comparable(first[field.name])
  return isCompleteAtOnce(collection) || askedOf(collection).some(isTyped)
}

/** Input in the items of a new record that is no value. The fields are paths in the body: `emails[0].type`. */
export function itemFaults(of: string, values: Values): Detail[] {
  return Object.entries(resourceOf(of).collections).flatMap(([name, collection]) => {
    const items = ((values[name] ?? []) as Values[]).filter((item) => isItemFilled(collection, item))
    return items.flatMap((item, at) => faultsOf(`${name}[${at}]`, item))
  })
}

function faultsOf(path: string, item: Values): Detail[] {
  return Object.entries(item).flatMap(([name, value]): Detail[] =>
    value instanceof Invalid ? [{ field: `${path}.${name}`, message: value.message, code: 'INVALID_VALUE' }] : [],
  )
}

function comparable(value: unknown): string {
  const isEmpty = value === null || value === undefined || (Array.isArray(value) && value.length === 0)
  return isEmpty ? '""' : JSON.stringify(value)
}

function isCompleteAtOnce(collection: DescribedCollection): boolean {
  return askedOf(collection).every((field) => !field.required || (field.default ?? null) !== null)
}
