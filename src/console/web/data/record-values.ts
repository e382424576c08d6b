import type { DescribedField } from '../../description.ts'
import { declaredOf, fieldOf, resourceOf } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { type Choice, isChoice, isNewChoice } from './choice.ts'
import { isDeclaredName, joinMetadata, keyOf, splitMetadata } from './declared.ts'
import type { Values } from './form-merge.ts'
import { initialValue } from './initial-value.ts'
import { firstItems, isItemFilled } from './item-values.ts'
import { type Row, titleOf, viewOf } from './resource-views.ts'

/** The form's fields, in order. */
export function fieldsOf(of: string, row: Row | undefined): DescribedField[] {
  const fields = viewOf(of).form.map((name) => fieldOf(of, name))
  return row ? fields.filter((field) => !field.fixed) : fields
}

export function isMetadata({ kind }: DescribedField): boolean {
  return kind === 'metadata'
}

/** The form's values for a record; a reference as a `Choice`, without a label if the record does not come with what it refers to. */
export function valuesOf(of: string, row: Row): Values {
  const { relations } = resourceOf(of)
  const entries = fieldsOf(of, row).map(({ name, target }) => [
    name,
    target && row[name] ? choiceOf(target, row[name], relations[name] && row[relations[name]]) : row[name],
  ])
  return { ...Object.fromEntries(entries), ...(row.metadata && splitMetadata(row.metadata, declaredOf(of))) }
}

function choiceOf(target: string, id: string, related: Row | null | undefined): Choice {
  return { id, label: related === undefined ? '' : related ? titleOf(target, related) : t('(deleted)') }
}

/** The form's values for a new record: it belongs to the user, and a contact has an empty email and phone. */
export function blank(of: string): Values {
  const entries = fieldsOf(of, undefined).map((field) => [field.name, initialValue(field)])
  const { fields, collections } = resourceOf(of)
  const items = Object.entries(collections).map(([name, collection]) => [name, firstItems(collection)])
  return {
    ...Object.fromEntries([...entries, ...items]),
    ...(fields.some(isMetadata) && splitMetadata({}, declaredOf(of))),
  }
}

/** The request's body with what has changed: references are ids, empty items are left out, and the metadata is complete. */
export function bodyOf(of: string, changed: Values, values: Values, stored?: Row): Values {
  const names = Object.keys(changed)
  const plain = Object.entries(changed).filter(([name]) => !isDeclaredName(name))
  const body = Object.fromEntries(plain.map(([name, value]) => [name, sentValue(of, name, value)]))
  const isMetadataChanged = names.some((name) => name === 'metadata' || isDeclaredName(name))
  return { ...body, ...(isMetadataChanged && { metadata: joinMetadata(values, stored?.metadata) }) }
}

/** A form's value as a request has it. */
export function sentValue(of: string, name: string, value: unknown): unknown {
  if (isChoice(value)) return value.id
  const collection = resourceOf(of).collections[name]
  return collection ? (value as Values[]).filter((item) => isItemFilled(collection, item)) : value
}

/** Whether a value counts where one is required: blank text and an empty list do not. */
export function isGiven(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined
}

/** Whether a record has such a value of a field. */
export function hasValue(row: Row, name: string): boolean {
  const [of, key] = isDeclaredName(name) ? [row.metadata ?? {}, keyOf(name)] : [row, name]
  return Object.hasOwn(of, key) && isGiven(of[key])
}

/** Another field of the form, with its value, that the records of a reference also have: contacts have an organization. */
export function nearOf(
  of: string,
  { name, target }: DescribedField,
  values: Values,
): [name: string, id: string] | undefined {
  if (!target) return undefined
  const { filters, fields } = resourceOf(target)
  for (const [other, value] of Object.entries(values)) {
    if (other === name || !isChoice(value) || isNewChoice(value) || !filters.includes(other)) continue
    const isSame = fields.some((field) => field.name === other && field.target === fieldOf(of, other).target)
    if (isSame && fieldOf(of, other).target !== 'user') return [other, value.id]
  }
  return undefined
}

/** The fields that are edited at the place of one: the parts of a name, or an amount with its currency; none if it cannot be edited. */
export function editedWith(of: string, column: string): string[] {
  const { fields, operations } = resourceOf(of)
  const { name, form } = viewOf(of)
  if (!operations.includes('patch')) return []
  if (column.startsWith('metadata.')) return [column]
  const field = fields.find((each) => each.name === column)
  const names = name[0] === column ? name : [column, field?.currency ?? together[column] ?? []].flat()
  return names.filter((each) => form.includes(each) && !fields.find((known) => known.name === each)?.fixed)
}

/** The field that a change of another one may also change. */
const together: Readonly<Record<string, string>> = { stage_id: 'probability' }
