import type { DetailCode } from '../errors.ts'
import { labelOf } from '../lib/text.ts'
import type { SqlValue, Writer } from '../store/reader.ts'
import { type Kind, moment } from './fields.ts'
import type { Filter, FilteredColumn } from './filters.ts'

/** A record's stored values by field name. */
export type Row = Record<string, SqlValue>

export interface Field extends Kind {
  readonly name: string
  readonly label: string
  /** The column that lists compare and sort by. */
  readonly keyColumn: string
  readonly keyed: boolean
  readonly nullable: boolean
}

/** A to-one relation, given as an object of the target's listed fields; null when empty or deleted (decision D3). */
export interface Relation {
  readonly target: Resource
  readonly by: string
  readonly fields: readonly string[]
}

/** Items that belong to a record and are created with it: rows of their own table, an array in JSON. */
export interface Collection {
  readonly table: string
  /** The column that holds the owner's id. */
  readonly owner: string
  /** The array's name in answers; in a body it is the collection's own name. */
  readonly as: string
  readonly fields: Readonly<Record<string, Field>>
  /** What is wrong between the items of one body; their own faults are found elsewhere. */
  readonly check?: (items: readonly Partial<Row>[]) => ItemFault[]
  /** Completes the valid items of one body in place. */
  readonly complete: (items: Row[]) => void
}

export interface ItemFault {
  index: number
  field: string
  code: DetailCode
  message: string
}

/** What is about to be written: `before` is undefined for a new record. `after` may be changed. */
export interface Change {
  readonly tx: Writer
  readonly id: string
  readonly before: Row | undefined
  readonly after: Row
}

/** A filter over the items of a collection: some item matches (`ne`: none is equal). */
export interface ItemFilter {
  readonly collection: string
  readonly field: string
}

export interface ResourceOptions {
  path: string
  /** The part behind `read:` and `write:`. */
  scope: string
  fields: Record<string, Kind>
  filters: readonly string[]
  itemFilters?: Record<string, ItemFilter>
  sorts: readonly string[]
  pageSize: { default: number; max: number }
  relations?: Record<string, Relation>
  collections?: Record<string, Collection>
  /** The plan's limit on how many there may be in a workspace. */
  limit?: string
  /** Rules between records, run in the transaction before the row is written. */
  beforeWrite?: (change: Change) => void
}

/** A resource, as declared in `crm/`: everything the engine needs to serve it. */
export interface Resource extends Required<Omit<ResourceOptions, 'fields' | 'limit' | 'beforeWrite'>> {
  readonly name: string
  /** For messages: `Organization not found`. */
  readonly label: string
  readonly fields: Readonly<Record<string, Field>>
  /** `fields` and what the engine sets itself. */
  readonly columns: Readonly<Record<string, Field>>
  readonly limit: string | undefined
  readonly beforeWrite: ((change: Change) => void) | undefined
}

/** Declares a resource; `name` is also its table's. */
export function resource(name: string, options: ResourceOptions): Resource {
  const keyed = new Set([...options.filters, ...options.sorts])
  const fields = defineFields(options.fields, keyed)
  const stamps = defineFields({ created_at: moment(), updated_at: moment() }, keyed, false)
  return {
    itemFilters: {},
    relations: {},
    collections: {},
    limit: undefined,
    beforeWrite: undefined,
    ...options,
    name,
    label: labelOf(name),
    fields,
    columns: { ...fields, ...stamps },
  }
}

export function collection(
  options: Omit<Collection, 'fields'> & { fields: Record<string, Kind>; filters: string[] },
): Collection {
  return { ...options, fields: defineFields(options.fields, new Set(options.filters)) }
}

/** The columns of a table that hold these fields. */
export function columnNames(fields: Readonly<Record<string, Field>>): string[] {
  return Object.values(fields).flatMap(({ name, keyed, keyColumn }) => (keyed ? [name, keyColumn] : [name]))
}

/** What a row stores in them, in the same order. */
export function columnValues(fields: Readonly<Record<string, Field>>, row: Row): SqlValue[] {
  const values: SqlValue[] = []
  for (const { name, keyed, key } of Object.values(fields)) {
    const stored = row[name] ?? null
    values.push(stored)
    if (keyed) values.push(stored === null ? null : key!.of(String(stored)))
  }
  return values
}

/** What a filter on `name` compares with, and how. */
export function filterOf(field: Field): { filter: Filter; on: FilteredColumn } {
  return { filter: field.filter!, on: { column: field.name, key: field.keyColumn, nullable: field.nullable } }
}

function defineFields(kinds: Record<string, Kind>, keyed: Set<string>, nullable?: boolean): Record<string, Field> {
  return Object.fromEntries(
    Object.entries(kinds).map(([name, kind]): [string, Field] => {
      const hasKey = kind.key !== undefined && keyed.has(name)
      return [
        name,
        {
          ...kind,
          name,
          label: labelOf(name),
          keyed: hasKey,
          keyColumn: hasKey ? `${name}_key` : name,
          nullable: nullable ?? (kind.required === undefined && kind.default === undefined),
        },
      ]
    }),
  )
}
