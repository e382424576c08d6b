import { emailKey } from '../../../lib/email.ts'
import { phoneKey } from '../../../lib/text.ts'
import { indexOf, isCreation } from '../../records/columns.ts'
import type { Field, Relation, Resource } from '../../records/definition/resource.ts'
import { undeleted } from '../../records/select.ts'
import { markOf } from '../list/search.ts'

/** A resource as it is searched: plain data that can be sent to any thread. */
export interface SearchTarget {
  /** The name of the resource. */
  name: string
  table: string
  fields: TargetField[]
  /** SQL expressions for a record's title and for what describes it. */
  title: string
  subtitle: string
  /** The order of the latest change: its index and its columns. */
  changed: { index: string; columns: string }
}

/**
 * A key is folded, as that of an email address is, which has no accents, or the digits of a telephone number. A text without a key is
 * folded when it is compared.
 */
export type TextForm = 'folded' | 'email' | 'phone' | 'unfolded'

export interface TargetField {
  name: string
  column: string
  /** What is compared: the text in this form. */
  key: string
  form: TextForm
  /** The index of its key, if it is a field of the record and folded. */
  index: string
  mark: string
  isName: boolean
  isExact: boolean
  /** The table of items that it is a field of, and a condition on its rows. */
  items?: { table: string; owner: string; also: string }
  /** The folded options of a choice, whose key is the rank of one. */
  options?: string[]
}

/** Undefined if the resource is not searched. */
export function targetOf(resource: Resource): SearchTarget | undefined {
  const { name, table, columns, title, search } = resource
  if (!search) return undefined
  const names = search.names ?? title
  return {
    name,
    table,
    fields: search.fields.map((each) => fieldOf(resource, each, names)),
    title: `coalesce(${joined(names, ' ')}, ${joined(title, ' ')})`,
    subtitle: joined(
      search.subtitle.map((each) => described(resource, each)),
      ' · ',
    ),
    changed: {
      index: indexOf(resource, columns.updated_at),
      columns: isCreation(columns.updated_at!) ? 'id' : 'updated_at, id',
    },
  }
}

function fieldOf(resource: Resource, name: string, names: readonly string[]): TargetField {
  const { search, stored, itemFilters, collections, table } = resource
  const item = itemFilters[name]
  const of = item ? collections[item.collection]! : undefined
  const field: Field = of ? of.fields[item!.field]! : stored[name]!
  return {
    name,
    column: field.name,
    key: field.keyColumn,
    form: formOf(field),
    index: `${table}_${field.name}`,
    mark: markOf(resource, name),
    isName: names.includes(name),
    isExact: search!.exact?.includes(name) ?? false,
    ...(of && { items: { table: of.table, owner: of.owner, also: '' } }),
  }
}

function formOf({ keyed, key }: Field): TextForm {
  if (!keyed) return 'unfolded'
  return key!.of === phoneKey ? 'phone' : key!.of === emailKey ? 'email' : 'folded'
}

function described({ table, columns, relations }: Resource, name: string): string {
  return columns[name] ? `${table}.${name}` : relatedTitle(table, relations[name]!)
}

/** The title of a related record; null if it is empty or deleted. */
function relatedTitle(table: string, { target, by }: Relation): string {
  const title = joined(
    target.title.map((each) => `related.${each}`),
    ' ',
  )
  return `(SELECT ${title} FROM ${target.table} AS related WHERE ${undeleted} AND related.id = ${table}.${by})`
}

/** The texts that are not null, as one; null if there is none. */
function joined(texts: readonly string[], separator: string): string {
  return `nullif(concat_ws('${separator}', ${texts.join(', ')}), '')`
}
