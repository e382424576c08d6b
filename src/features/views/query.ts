import { records } from '../../crm/records.ts'
import { derivedOf } from '../../engine/finding/export/columns.ts'
import { readOrder } from '../../engine/finding/list/order.ts'
import { filteredBy } from '../../engine/finding/query/query.ts'
import { readFilters } from '../../engine/finding/query/read-filters.ts'
import { type Declared, declaredOf } from '../../engine/records/declared/declared.ts'
import { prefix } from '../../engine/records/declared/find.ts'
import { invalid, oneOf, quote } from '../../engine/records/definition/faults.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { ApiError, type Detail } from '../../errors.ts'
import { sameDigits } from '../../lib/text.ts'
import type { Reader } from '../../store/reader.ts'

/** The resources whose lists can be saved as views. */
export const viewed: readonly Resource[] = records.filter(({ offers }) => offers.views)

/** The name of a field, of the array of a collection, or of a key in metadata. */
export const columnForm = /^(?:\w{1,64}|metadata\.[\w-]{1,64})$/

/** What a view saves. `filter` and `sort` are as in a query string. */
export interface SavedQuery {
  resource: string
  filter: string | null
  sort: string | null
  columns: readonly string[] | null
}

/** Why a list cannot be read by this query, by the view's fields. A change of the resource's fields can break a valid one. */
export function faultsOf({ resource: name, filter, sort, columns }: SavedQuery, reader: Reader): Detail[] {
  const resource = viewed.find((each) => each.name === name)!
  const declared = declaredOf(resource, reader)
  const faults = filter === null ? [] : filterFaults(resource, filter, declared)
  if (sort !== null) readOrder(resource, sort, faults, declared)
  const items = Object.values(resource.collections).map(({ as }) => as)
  const known = ['id', ...Object.keys(resource.columns), ...derivedOf(resource), ...items]
  const removed = columns?.some((column) => column.startsWith(prefix)) ? removedFields(name, declared, reader) : []
  const isUnknown = (column: string) => (column.startsWith(prefix) ? removed.includes(column) : !known.includes(column))
  const unknown = columns?.find(isUnknown)
  if (unknown !== undefined) faults.push(invalid('columns', oneOf(`There is no field ${quote(unknown)}`, known)))
  return faults
}

/** The names of the fields that were declared for a resource once. Other keys of metadata need no declaration. */
function removedFields(resource: string, declared: readonly Declared[], reader: Reader): string[] {
  const sql = 'SELECT key FROM field WHERE workspace_id = :workspace AND resource = ? AND deleted_at IS NOT NULL'
  const keys = reader.values<string>(sql, resource)
  return keys.filter((key) => !declared.some((field) => field.key === key)).map((key) => prefix + key)
}

function filterFaults(resource: Resource, filter: string, declared: readonly Declared[]): Detail[] {
  const details: Detail[] = []
  try {
    readFilters({ resource, declared, phones: sameDigits, names: [] }, filter, details)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    details.push(...(error.details ?? []))
  }
  return details.map(({ message, code }) => ({ field: 'filter', message, code }))
}

/** The query string of a list or summary with a view: what the request itself says takes precedence. */
export function mergeQuery({ filter, sort }: SavedQuery, queryString: string): string {
  const given = partsOf(queryString).filter((part) => nameOf(part) !== 'view')
  const names = given.map(nameOf)
  const filtered = new Set(names.map(filteredBy))
  const kept = partsOf(filter ?? '').filter((part) => !filtered.has(filteredBy(nameOf(part))))
  const order = sort === null || names.includes('sort') ? [] : [`sort=${encodeURIComponent(sort)}`]
  return [...kept, ...order, ...given].join('&')
}

function partsOf(queryString: string): string[] {
  return queryString.split('&').filter((part) => part !== '')
}

function nameOf(part: string): string {
  return [...new URLSearchParams(part).keys()][0] ?? ''
}
