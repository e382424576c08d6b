import type { Detail, DetailCode } from '../../errors.ts'
import { labelOf } from '../../lib/text.ts'
import type { SqlValue, Writer } from '../../store/reader.ts'
import { creationFilter, type Filter, type FilteredColumn, type Operator } from '../list/filters.ts'
import type { Change } from './change.ts'
import type { ItemAbout, ResourceAbout } from './describe.ts'
import { type Kind, moment } from './fields.ts'

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
  /** One of them, as paths and messages name it. */
  readonly item: string
  readonly about: ItemAbout
  readonly label: string
  /** Completes the valid items in place; `changed` is the one that a caller changes or adds to those there are. */
  readonly complete: (items: Row[], changed?: Row) => void
}

export interface ItemFault {
  index: number
  field: string
  code: DetailCode
  message: string
}

export type Operation = 'list' | 'create' | 'get' | 'patch' | 'delete'

/** A further endpoint of one record: a patch of its own. */
export interface Action {
  /** Behind the record's path: `complete`. */
  readonly path: string
  /** The field that its body must hold; default: it takes no body. */
  readonly takes?: string
  /** Its name in generated clients, and what it does in a few words. */
  readonly id: string
  readonly summary: string
  /** What its example answers instead of the example record's values. */
  readonly shows: Readonly<Record<string, unknown>>
  /** From the body to the fields to patch. Throws ApiError. */
  readonly patch: (body: Record<string, unknown>) => Record<string, unknown>
}

/** A filter over the items of a collection: some item matches (`ne`: none is equal). */
export interface ItemFilter {
  readonly collection: string
  readonly field: string
}

export interface Scopes {
  readonly read: string
  readonly write: string
}

/** Where another room keeps a resource's rows: how it writes them. */
export interface Storage {
  /** Answers what is shown of the new record this once. */
  insert(tx: Writer, id: string, row: Row): Readonly<Record<string, string>>
  /** By column. */
  update(tx: Writer, id: string, changes: Row): void
}

export interface ResourceOptions {
  path: string
  about: ResourceAbout
  /** For messages; default: made of the name. */
  label?: string
  /** The part behind `read:` and `write:`, or both scopes in full. */
  scope: string | Scopes
  fields: Record<string, Kind>
  filters: readonly string[]
  itemFilters?: Record<string, ItemFilter>
  sorts: readonly string[]
  pageSize: { default: number; max: number }
  /** Default: all five. */
  operations?: readonly Operation[]
  actions?: readonly Action[]
  /** Of a list without `sort`; default: newest first (decision C4). */
  defaultSort?: string
  /** Of a sort key that names none; default: ascending (decision C5). */
  sortDirection?: 'asc' | 'desc'
  /** Whether filters of its lists are documented as `filter[name]`; default: as `name`. Both are accepted (decision C5). */
  nestsFilters?: boolean
  /** Where a filter without operator means another one than `eq` (decision C6). */
  defaultOperators?: Record<string, Operator>
  /** The table or view, where it is not called as the resource. */
  table?: string
  /** Where that is a view: the table in which an id alone, checked when it was written, leads to the row. */
  idTable?: string
  /** Whether `record_count` knows how many there are. */
  counted?: boolean
  /** Default: the engine writes them itself. */
  storage?: Storage
  /** Whether records show `created_at` and `updated_at`; default: they do. */
  stamped?: boolean
  /** Which undeleted ones a new reference may lead to, as a SQL condition; default: all (decision D2). */
  referable?: string
  /** A field that differs between the undeleted records of a workspace, letter case apart. */
  unique?: string
  relations?: Record<string, Omit<Relation, 'fields'> & Partial<Relation>>
  /** What of a record is shown where another leads to it; default: its id. */
  summary?: readonly string[]
  collections?: Record<string, Collection>
  /** The plan's limit on how many there may be in a workspace. */
  limit?: string
  /** What is wrong between the fields of a new record's body; their own faults are found elsewhere. */
  check?: (values: Readonly<Record<string, unknown>>) => Detail[]
  /** Columns that no body sets and no answer shows, set once by `beforeWrite`. */
  unshown?: Record<string, Kind>
  /** Rules between records, run in the transaction before the row is written. */
  beforeWrite?: (change: Change) => void
  /** The same before a record is deleted. */
  beforeRemove?: (tx: Writer, id: string) => void
}

type Optional =
  | 'check'
  | 'idTable'
  | 'limit'
  | 'beforeWrite'
  | 'beforeRemove'
  | 'defaultSort'
  | 'referable'
  | 'unique'
  | 'storage'

/** A resource, as declared in `crm/`: everything the engine needs to serve it. */
export interface Resource
  extends Required<Omit<ResourceOptions, 'fields' | 'scope' | 'stamped' | 'relations' | 'unshown' | Optional>>,
    Pick<ResourceOptions, Optional> {
  readonly name: string
  readonly scopes: Scopes
  readonly relations: Readonly<Record<string, Relation>>
  readonly fields: Readonly<Record<string, Field>>
  /** `fields` and what the engine sets itself. */
  readonly columns: Readonly<Record<string, Field>>
  /** All that its row holds: `columns`, and what no answer shows. */
  readonly stored: Readonly<Record<string, Field>>
}

/** Declares a resource; unless it says otherwise, `name` is also its table's. */
export function resource(name: string, options: ResourceOptions): Resource {
  const keyed = new Set([...options.filters, ...options.sorts, ...(options.unique ? [options.unique] : [])])
  const fields = defineFields(options.fields, keyed)
  const { scope, stamped = true, relations = {}, unshown = {}, ...rest } = options
  const operations = options.operations ?? ['list', 'create', 'get', 'patch', 'delete']
  const created = { ...moment(), filter: creationFilter }
  const updated = operations.includes('patch') ? moment() : created
  const stamps = stamped ? defineFields({ created_at: created, updated_at: updated }, keyed, false) : {}
  return {
    label: labelOf(name),
    itemFilters: {},
    summary: ['id'],
    collections: {},
    operations,
    actions: [],
    sortDirection: 'asc',
    nestsFilters: false,
    defaultOperators: {},
    table: name,
    counted: true,
    ...rest,
    name,
    scopes: typeof scope === 'string' ? { read: `read:${scope}`, write: `write:${scope}` } : scope,
    fields,
    columns: { ...fields, ...stamps },
    stored: { ...fields, ...stamps, ...defineFields(unshown, keyed) },
    relations: Object.fromEntries(
      Object.entries(relations).map(([key, relation]) => [key, { fields: relation.target.summary, ...relation }]),
    ),
  }
}

export function collection(
  options: Omit<Collection, 'fields' | 'label'> & { fields: Record<string, Kind>; filters: string[] },
): Collection {
  return { ...options, label: labelOf(options.item), fields: defineFields(options.fields, new Set(options.filters)) }
}

/** Names that `include` accepts. */
export function includesOf(resource: Resource): Record<string, unknown> {
  return { ...resource.relations, ...resource.collections }
}

/** What a filter on `name` compares with, and how. */
export function filterOf(field: Field): { filter: Filter; on: FilteredColumn } {
  return { filter: field.filter!, on: { column: field.name, key: field.keyColumn, nullable: field.nullable } }
}

/** Whether null in a patch is valid (decision B6). */
export function isClearable({ nullable, cleared }: Field): boolean {
  return nullable || cleared !== undefined
}

/** The last part of its path: `contacts`. */
export function pluralOf({ path }: Pick<Resource, 'path'>): string {
  return path.replace('api-v1-', '')
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
          nullable: nullable ?? (kind.required === undefined && kind.default === undefined && !kind.chosen),
        },
      ]
    }),
  )
}
