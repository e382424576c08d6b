import { indexOf } from '../../records/columns.ts'
import type { DuplicateReason } from '../../records/definition/options.ts'
import type { Resource } from '../../records/definition/resource.ts'
import { caselessFilter } from '../../records/kinds/text-filters.ts'
import { undeleted } from '../../records/select.ts'

/** What is compared for one reason, as SQL: plain data that any thread can run. */
export interface Compared {
  reason: string
  /** The table whose rows are compared: that of the records, or that of items. */
  table: string
  /** The column by which an index orders the rows. Rows that are equal in it are compared further. */
  key: string
  /** `INDEXED BY` that index, which SQLite would not always choose without the values; empty if there is no other. */
  indexed: string
  /** Further expressions that are equal in a group. */
  others: string[]
  /** The column with the id of the record. */
  id: string
  /** A condition on the rows that an index lacks or has. */
  scope: string
  /** A condition on the rows of undeleted records. */
  live: string
  /** The text that a row shows to a reader. */
  value: string
  /** Whether keys are those of telephone numbers (decision K7). */
  isPhone: boolean
}

/** What is compared for a reason (decision K5). */
export function comparedFor(resource: Resource, reason: DuplicateReason): Compared {
  return Object.hasOwn(resource.itemFilters, reason.by) ? items(resource, reason) : fields(resource, reason)
}

const inWorkspace = 'workspace_id = :workspace'

function items({ table: records, itemFilters, collections }: Resource, { by }: DuplicateReason): Compared {
  const { collection, field } = itemFilters[by]!
  const { table, owner, fields } = collections[collection]!
  const { keyColumn, key, name } = fields[field]!
  const isPhone = key?.isPhone === true
  const scope = isPhone ? `${inWorkspace} AND ${isNumber(keyColumn)}` : inWorkspace
  const live = `${scope} AND EXISTS (SELECT 1 FROM ${records} WHERE ${records}.workspace_id = :workspace
    AND ${records}.id = ${owner} AND ${records}.deleted_at IS NULL)`
  return {
    reason: by,
    table,
    key: keyColumn,
    indexed: '',
    others: [],
    id: owner,
    scope,
    live,
    value: name,
    isPhone,
  }
}

/** A condition on the key of a telephone number: three digits, and not only zeros. Any other text, such as `n/a`, says that there is none. */
function isNumber(key: string): string {
  return `${key} GLOB '*[0-9]*[0-9]*[0-9]*' AND ${key} GLOB '*[1-9]*'`
}

/** The key of a text without case has no accents, so its text is compared, too. */
function fields(resource: Resource, { by, fields = [by], within, shape }: DuplicateReason): Compared {
  const { table, columns } = resource
  const named = fields.map((name) => columns[name]!)
  const ordered = within === undefined ? named[0]! : columns[within]!
  const keys = named.map((field) => `ifnull(${field.keyColumn}, '')`)
  const exact = named.filter((field) => field.filter === caselessFilter).map(({ name }) => `without_case(${name})`)
  const others = [...(within === undefined ? keys.slice(1) : keys), ...exact]
  const scope = shape === undefined ? undeleted : `${undeleted} AND ${ordered.keyColumn} GLOB '${shape}'`
  const value = fields.map((name) => `ifnull(${name}, '')`).join(` || ' ' || `)
  return {
    reason: by,
    table,
    key: ordered.keyColumn,
    indexed: `INDEXED BY ${indexOf(resource, ordered)}`,
    others,
    id: 'id',
    scope,
    live: scope,
    value: `trim(${value})`,
    isPhone: others.length === 0 && ordered.key?.isPhone === true,
  }
}
