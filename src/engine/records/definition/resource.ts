import type { GenericSchema } from 'valibot'
import type { SqlValue } from '../../../store/reader.ts'
import type { ItemAbout, JsonSchema, Operation, ResourceAbout } from './about.ts'
import type { Row } from './change.ts'
import type { Filter } from './filter.ts'
import type { IdentityOptions, ListOptions, LogOptions, StorageOptions, SumOptions } from './option-groups.ts'
import type { Action, Entry, ItemFault, Offers, SearchOptions } from './options.ts'
import type { Rules } from './rules.ts'

/** A kind of field: the values that it accepts, its column, its filters and its JSON. */
export interface Kind {
  readonly kind: string
  readonly sqlType: 'TEXT' | 'INTEGER' | 'REAL'
  /** Validates a body's value (never null) and converts it to the stored one, which is null if it is empty. Its checks are made by `rule`. */
  schema(label: string): GenericSchema<unknown, SqlValue>
  /** The JSON Schema of a value in a response, without null and default. */
  readonly shape: JsonSchema
  /** The JSON Schema of a value in a body; default: `shape`. */
  readonly input?: JsonSchema
  /** Valid values, for kinds whose `shape` does not lead to any. */
  readonly examples?: readonly unknown[]
  /** A SQL expression for the column's value as JSON. */
  json(column: string): string
  /** How lists filter by the field; undefined: they neither filter nor sort by it. */
  readonly filter?: Filter
  /** The content of the column `<field>_key`, if lists compare another value than the stored one. */
  readonly key?: { sqlType: 'TEXT' | 'INTEGER' | 'REAL'; of(stored: string): SqlValue; isPhone?: true }
  /** The stored value of a new record whose body does not have the field. */
  readonly default?: SqlValue
  /** The stored value after null in a patch, for a field that is never null (decision B6). */
  readonly cleared?: SqlValue
  /** The message if the value is missing or empty; undefined: the field is optional. */
  readonly required?: string
  /** The values of a choice, by rank. */
  readonly options?: readonly string[]
  /** Whether options are added by other definitions. */
  readonly grows?: boolean
  /** The resource that a reference refers to, and the message if the record does not exist. */
  readonly target?: Resource
  readonly missing?: string
  /** Whether the table does not enforce the reference. */
  readonly isLoose?: boolean
  /** Set by the service; bodies cannot set it. */
  readonly readonly?: boolean
  /** Set by the service without a change of the record: the log and `updated_at` leave it out (decision G1). */
  readonly unlogged?: boolean
  /** Computed by rules from other fields: an undo leaves it to them. */
  readonly derived?: boolean
  /** Validated and stored as the digits of the request, which a double may not have. */
  readonly isExact?: boolean
  /** The unshown field that has all digits of the number; null: JSON shows them without it. */
  readonly digits?: string
  /** Set at creation; patches cannot change it. */
  readonly fixed?: boolean
  /** Never null in the table: `beforeWrite` chooses a value if the body has none. */
  readonly chosen?: boolean
}

export interface Field extends Kind {
  readonly name: string
  readonly label: string
  /** The column that lists compare and sort by. */
  readonly keyColumn: string
  readonly keyed: boolean
  /** The further column that makes the field unique: its text without case, but with accents. */
  readonly uniqueColumn?: string
  readonly nullable: boolean
}

export type Fields<F extends string = string> = Readonly<Record<F, Field>>

/** A to-one relation, shown as an object with the target's listed fields; null if empty or deleted (decision D3). */
export interface Relation {
  readonly target: Resource
  /** The field that holds the target's id. */
  readonly by: string
  readonly fields: readonly string[]
  /** Whether a bulk record may name the target by a value that it is matched by, instead of its id: `organization: {name}` (decision K3). */
  readonly named?: boolean
}

/** Items that belong to a record and are created with it: rows of their own table, an array in JSON. */
export interface Collection<F extends string = string> {
  readonly table: string
  /** The column that holds the owner's id. */
  readonly owner: string
  /** The array's name in responses; in a body it is the collection's own name. */
  readonly as: string
  readonly fields: Fields<F>
  /** Errors between the items of one body. Each item is validated by itself before. */
  readonly check?: (items: readonly Partial<Row>[]) => ItemFault[]
  /** The name of one item in paths and messages. */
  readonly item: string
  readonly about: ItemAbout<F>
  readonly label: string
  /** Completes the valid items in place; `changed` is the item that a request changes or adds. */
  readonly complete?: (items: Row[], changed?: Row) => void
}

/**
 * Links to records of another resource, each with a text, in a table of their own: the people on a deal with their roles. Responses show them
 * if `include` names them.
 */
export interface Link {
  readonly table: string
  /** The column that holds the owner's id. */
  readonly owner: string
  readonly target: Resource
  /** The column that holds the target's id. */
  readonly to: string
  /** The column of the text, and its name in JSON. */
  readonly text: string
  /** The reference of the owner whose target is one of them, the first one. */
  readonly first: string
  /** The filter by the id of a target. */
  readonly filter: string
  readonly max: number
}

/**
 * A field with the ids of some records of another resource, a JSON array in their order: `contact_ids`. A table finds the records by such an
 * id. Responses show the targets if `include` names them.
 */
export interface IdList {
  readonly field: string
  readonly table: string
  /** The column that holds the owner's id. */
  readonly owner: string
  readonly target: Resource
  /** The column that holds the target's id. */
  readonly to: string
  /** The filter by the id of a target. */
  readonly filter: string
}

/** Records that refer to a record by `by`, oldest first: the files of a message. Responses show them if `include` names them. */
export interface Children {
  readonly target: Resource
  readonly by: string
}

type Collections = Readonly<Record<string, Collection>>

/** A filter over the items of a collection: some item matches (`ne`: none is equal). */
type ItemFilter<C extends Collections = Collections> = {
  [K in keyof C & string]: { readonly collection: K; readonly field: keyof C[K]['fields'] & string }
}[keyof C & string]

export interface Scopes {
  readonly read: string
  readonly write: string
}

/** The definition of a resource. `F` are the names of its fields, `C` are its collections, `U` are the names of its unshown columns. */
export interface ResourceOptions<
  F extends string = string,
  C extends Collections = Collections,
  U extends string = string,
> extends Rules,
    ListOptions<F, U>,
    SumOptions<F, U>,
    IdentityOptions<F>,
    StorageOptions,
    LogOptions {
  path: string
  about: ResourceAbout<NoInfer<F>, NoInfer<U>>
  /** The name in messages; default: `name` with a capital letter. */
  label?: string
  /** The part of the scopes after `read:` and `write:`, or both complete scopes. */
  scope: string | Scopes
  fields: Record<F, Kind>
  /** Columns that `beforeWrite` sets, and that no body sets and no response shows. Lists may filter and sort by them (decision K9). */
  unshown?: Record<U, Kind>
  itemFilters?: Record<string, ItemFilter<NoInfer<C>>>
  /** A reference whose target says what a record must have to get it. */
  entry?: Entry<NoInfer<F>>
  /** What it does not offer, if it is one of those that people work with; default: everything. */
  offers?: Partial<Offers>
  /** The endpoints that exist; default: all five. */
  operations?: readonly Operation[]
  actions?: readonly Action<NoInfer<F>>[]
  relations?: Record<string, { target: Resource; by: NoInfer<F>; fields?: readonly string[]; named?: boolean }>
  collections?: C
  /** Whether lists can be exported as vCards (decision K1): its records are people. */
  isCard?: boolean
  links?: Readonly<Record<string, Link>>
  idLists?: Readonly<Record<string, IdList>>
  /** What the search over all resources does with its records; default: it leaves them out. */
  search?: SearchOptions
}

type Optional =
  | keyof Rules
  | 'idTable'
  | 'contentBytes'
  | 'limit'
  | 'max'
  | 'ownedBy'
  | 'partOf'
  | 'same'
  | 'changesReadBy'
  | 'followsAside'
  | 'shownAs'
  | 'defaultSort'
  | 'conversion'
  | 'defaultSortThrough'
  | 'entry'
  | 'referable'
  | 'search'
  | 'unique'
  | 'within'
  | 'storage'

/** A resource as the engine serves it: its definition with every default filled in. */
export interface Resource
  extends Required<
      Omit<ResourceOptions, 'fields' | 'scope' | 'stamped' | 'relations' | 'unshown' | 'offers' | Optional>
    >,
    Pick<ResourceOptions, Optional> {
  readonly name: string
  /** By the names that `include` takes. Others add them. */
  readonly children: Record<string, Children>
  readonly scopes: Scopes
  readonly offers: Offers
  readonly relations: Readonly<Record<string, Relation>>
  readonly fields: Fields
  /** `fields` and the fields that the engine sets. */
  readonly columns: Fields
  /** The columns that no response shows. */
  readonly unshown: Fields
  /** All columns of its row: `columns` and the unshown ones. */
  readonly stored: Fields
  /** The fields that the log leaves out. */
  readonly unlogged: readonly string[]
  /** Whether the log stores the record with each change, because changes that it leaves out do not lead to former states. */
  readonly keepsData: boolean
}
