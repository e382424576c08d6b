import { ApiError, validationError } from '../../errors.ts'
import { parseUuid } from '../../lib/uuid.ts'
import { refuseParameters } from '../finding/query/parameters.ts'
import type { Collection, Resource } from '../records/definition/resource.ts'
import type { Describer, ItemOperation } from '../records/describe.ts'
import { type Item, itemsOf } from '../records/rows/items.ts'
import { updateRow } from '../records/rows/rows.ts'
import { lookupRow } from '../records/rows/stored-row.ts'
import { itemsMax, readItem, readItemPatch } from '../records/rows/validate.ts'
import { findText, idOf, lookupText } from '../records/select.ts'
import { type ApiResponse, deleted, requireMatch, shown } from './call/http-response.ts'
import type { Call, Route } from './call/route.ts'

/** The change that a request makes to a record's items. Throws NOT_FOUND, VALIDATION_ERROR. */
type Edit = (items: Item[], newId: () => string) => { items: Item[]; changed?: Item }

/** The endpoints of a record's collections, item by item (decision E4). */
export function itemRoutesOf(resource: Resource): Route[] {
  return Object.entries(resource.collections).flatMap(([name, collection]): Route[] => {
    const path = `/${resource.path}/:id/${name}`
    const itemPath = `${path}/:${collection.item}_id`
    const write = { scope: resource.scopes.write, takesBody: true, bodySize: 'small' } as const
    const run = { resource, collection, name }
    const describe = (operation: ItemOperation) => ({ describe: (doc: Describer) => doc.item(run, operation) })
    return [
      { method: 'POST', path, ...write, run: (call) => add(run, call), ...describe('create') },
      { method: 'PATCH', path: itemPath, ...write, run: (call) => patch(run, call), ...describe('patch') },
      {
        method: 'DELETE',
        path: itemPath,
        ...write,
        takesBody: false,
        run: (call) => remove(run, call),
        ...describe('delete'),
      },
    ]
  })
}

interface Run {
  resource: Resource
  collection: Collection
  name: string
}

function add(run: Run, call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  const given = readItem(run.collection, call.body)
  return edit(run, call, 201, (items, newId) => {
    if (items.length >= itemsMax) {
      const message = `${run.name} must have at most ${itemsMax} items`
      throw validationError([{ field: run.name, message, code: 'TOO_LONG' }])
    }
    const changed = { ...given, id: newId() }
    return { items: [...items, changed], changed }
  })
}

function patch(run: Run, call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  const given = readItemPatch(run.collection, call.body)
  return edit(run, call, 200, (items) => {
    const before = findItem(run, items, call)
    const changed = { ...before, ...given }
    return { items: items.map((item) => (item === before ? changed : item)), changed }
  })
}

async function remove(run: Run, call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  await edit(run, call, 200, (items) => {
    const gone = findItem(run, items, call)
    return { items: items.filter((item) => item !== gone) }
  })
  return deleted
}

/** Changes the items of a record. Returns the record with its relations and collections. */
function edit({ resource, collection, name }: Run, call: Call, status: number, change: Edit): Promise<ApiResponse> {
  return call.write((tx) => {
    const id = idOf(resource, call.params.id!)
    const text = findText(resource, tx, id)
    const before = itemsOf(collection, tx, id)
    const { items, changed } = change(
      before.map((item) => ({ ...item })),
      () => tx.newId(),
    )
    if (changed) requireValid(collection, items, changed)
    collection.complete?.(items, changed)
    requireMatch(call.headers.ifMatch, () => text)
    if (JSON.stringify(items) === JSON.stringify(before)) return shown(status, text)
    const location = status === 201 && { headers: ['Location', `/${resource.path}/${id}`] }
    const row = lookupRow(resource, tx, id)!
    updateRow(resource, { tx, id, before: row, given: {}, after: row, items: { [name]: items } })
    return { ...shown(status, lookupText(resource, tx, id)!), ...location }
  })
}

function findItem({ collection }: Run, items: Item[], { params }: Call): Item {
  const id = parseUuid(params[`${collection.item}_id`]!)
  const found = items.find((item) => item.id === id)
  if (!found) throw new ApiError('NOT_FOUND', `${collection.label} not found`)
  return found
}

/** Checks the rules between items. The changed item comes last, so that the error is about it. Throws VALIDATION_ERROR. */
function requireValid({ check }: Collection, items: Item[], changed: Item): void {
  const faults = check?.([...items.filter((item) => item !== changed), changed]) ?? []
  if (faults.length === 0) return
  throw validationError(faults.map(({ field, message, code }) => ({ field, message, code })))
}
