import type { DescribedField } from '../../description.ts'
import { keyOf } from '../data/declared.ts'
import { textOf } from '../data/metadata.ts'
import { type Row, titleOf, viewOf } from '../data/resource-views.ts'
import { declaredOf, description, fieldOf, resourceOf } from '../session/session.ts'
import { day, word } from '../text/format.ts'
import { counted, t } from '../text/texts.ts'
import { countText } from '../undo/undo.ts'

/** A field of records that are merged, or an entry of their metadata. */
export interface MergeField {
  /** `metadata.<key>` for an entry. */
  name: string
  label: string
  /** The value of a record as text; '' if it has none. */
  text(row: Row): string
  /** The declared field that it is, if so, whose values are shown as elsewhere. */
  declared?: DescribedField | undefined
}

/** The ids of the records whose values the survivor gets, by field. */
export type Chosen = Readonly<Record<string, string>>

const metadataPrefix = 'metadata.'

/** The fields in which some of the records have a value, in the order of the form. Those with different values come first. */
export function mergeFields(of: string, rows: readonly Row[]): MergeField[] {
  const own = viewOf(of).form.map((name) => plainField(of, fieldOf(of, name)))
  const keys = new Set(rows.flatMap(({ metadata }) => Object.keys(metadata)))
  const used = [...own, ...[...keys].map((key) => entryField(of, key))].filter((field) => rows.some(field.text))
  return [...used.filter((field) => differs(field, rows)), ...used.filter((field) => !differs(field, rows))]
}

/** Whether the records have different values of a field, so that one must be chosen. */
export function differs({ text }: MergeField, rows: readonly Row[]): boolean {
  return new Set(rows.map(text).filter((each) => each !== '')).size > 1
}

/** The record whose value the survivor gets unless the user chooses another one. `rows` begins with the survivor. */
export function holderOf({ text }: MergeField, rows: readonly Row[]): Row {
  return rows.find((row) => text(row) !== '') ?? rows[0]!
}

/** The `fields` of the request: what differs from what the server would choose. `rows` begins with the survivor. */
export function fieldsOf(fields: readonly MergeField[], rows: readonly Row[], chosen: Chosen): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const holders = fields.map((field) => ({ field, holder: rows.find(({ id }) => id === chosen[field.name]) }))
  const others = holders.filter(({ field, holder }) => holder && holder !== holderOf(field, rows))
  for (const { field, holder } of others) if (!isEntry(field)) values[field.name] = holder![field.name]
  if (!others.some(({ field }) => isEntry(field))) return values
  const entries = holders.filter(({ field }) => isEntry(field))
  const metadata = entries.map(({ field, holder = holderOf(field, rows) }) => {
    const key = keyOf(field.name)
    return [key, holder.metadata[key]]
  })
  return { ...values, metadata: Object.fromEntries(metadata) }
}

function isEntry({ name }: MergeField): boolean {
  return name.startsWith(metadataPrefix)
}

function plainField(of: string, field: DescribedField): MergeField {
  const relation = resourceOf(of).relations[field.name]
  return { name: field.name, label: field.label, text: (row) => fieldText(field, row, relation) }
}

function fieldText({ name, kind, target }: DescribedField, row: Row, relation: string | undefined): string {
  const value = row[name]
  if (kind === 'flag') return value ? t('Yes') : t('No')
  if (value === null || value === undefined) return ''
  if (kind === 'reference') return relation && row[relation] ? titleOf(target!, row[relation]) : ''
  if (kind === 'choice') return word(value)
  return kind === 'date' ? day(value) : String(value)
}

function entryField(of: string, key: string): MergeField {
  const name = `${metadataPrefix}${key}`
  const declared = declaredOf(of).find((field) => field.name === name)
  const text = ({ metadata }: Row) => {
    const value = Object.hasOwn(metadata, key) ? metadata[key] : null
    return value === null || value === '' ? '' : textOf(value)
  }
  return { name, label: declared?.label ?? key, text, declared }
}

/** `1 email, 2 deals`; '' if nothing moves. */
export function movedText(moved: Readonly<Record<string, number>>): string {
  const some = Object.entries(moved).filter(([, count]) => count > 0)
  return some.map(([name, count]) => movedCount(name, count)).join(', ')
}

function movedCount(name: string, count: number): string {
  const resource = description.value!.resources.find(({ path }) => path === `api-v1-${name}`)
  if (resource) return countText(resource.name, count)
  return name === 'emails' ? counted('{n} email|{n} emails', count) : counted('{n} phone|{n} phones', count)
}
