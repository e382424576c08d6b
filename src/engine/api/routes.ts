import { lookupDuplicate } from '../finding/duplicates/existing.ts'
import { refuseParameters } from '../finding/query/parameters.ts'
import { readRecordQuery } from '../finding/query/query.ts'
import { asked } from '../records/define.ts'
import type { Operation } from '../records/definition/about.ts'
import type { Resource } from '../records/definition/resource.ts'
import type { Describer } from '../records/describe.ts'
import { type JsonObject, readCreate, readPatch } from '../records/rows/validate.ts'
import { insert, lookupSame, remove, update } from '../records/rows/write.ts'
import { findText, idOf, lookupText } from '../records/select.ts'
import { type ApiResponse, deleted, requireMatch, shown, shownWith } from './call/http-response.ts'
import type { Call, Caller, Route } from './call/route.ts'
import { itemRoutesOf } from './item-routes.ts'
import { linkRoutesOf } from './link-routes.ts'
import { list } from './lists/list.ts'

/** The endpoints of a resource. `mayRead`: whether the caller may read it. */
export function routesOf(resource: Resource, mayRead: (caller: Caller) => boolean = () => false): Route[] {
  const path = `/${resource.path}`
  const describe = (operation: Operation) => ({ describe: (doc: Describer) => doc.operation(resource, operation) })
  const read = { scope: resource.scopes.read, takesBody: false, cacheable: true }
  const { isLongWrite } = resource
  const isLong = isLongWrite && (({ reader }: Call) => isLongWrite(reader))
  const write = { scope: resource.scopes.write, takesBody: true, ...(isLong && { isLong }) }
  const operations: Record<Operation, Route> = {
    list: { method: 'GET', path, ...read, run: (call) => list(resource, call), ...describe('list') },
    create: { method: 'POST', path, ...write, run: (call) => create(resource, call, mayRead), ...describe('create') },
    get: { method: 'GET', path: `${path}/:id`, ...read, run: (call) => get(resource, call), ...describe('get') },
    patch: {
      method: 'PATCH',
      path: `${path}/:id`,
      ...write,
      run: (call) => patch(resource, call, call.body),
      ...describe('patch'),
    },
    delete: {
      method: 'DELETE',
      path: `${path}/:id`,
      ...write,
      takesBody: false,
      run: (call) => destroy(resource, call),
      ...describe('delete'),
    },
  }
  const actions = resource.actions.map((action): Route => {
    const takesBody = action.takes !== undefined
    const bodySize = 'small'
    const run = (call: Call) => patch(resource, call, action.patch(call.body))
    const describe = (doc: Describer) => doc.action(resource, action)
    return { method: 'PATCH', path: `${path}/:id/${action.path}`, ...write, takesBody, bodySize, run, describe }
  })
  return [
    ...resource.operations.map((operation) => operations[operation]),
    ...actions,
    ...itemRoutesOf(resource),
    ...linkRoutesOf(resource),
  ]
}

function get(resource: Resource, call: Call): ApiResponse {
  const links = readRecordQuery(resource, call.query).filter((name) => asked(resource).includes(name))
  const id = idOf(resource, call.params.id!)
  const record = findText(resource, call.reader, id)
  return links.length > 0
    ? shownWith(200, findText(resource, call.reader, id, links), record)
    : shown(200, record, resource)
}

function create(
  resource: Resource,
  { reader, write, query, body }: Call,
  mayRead: (caller: Caller) => boolean,
): Promise<ApiResponse> {
  refuseParameters(query)
  const input = readCreate(resource, reader, body)
  return write((tx, caller) => {
    const same = lookupSame(resource, tx, input.values)
    if (same !== undefined) return shown(200, lookupText(resource, tx, same)!, resource)
    const duplicateOf = mayRead(caller) ? lookupDuplicate(resource, tx, input) : undefined
    const { id, once } = insert(resource, tx, input, caller.limits)
    const text = lookupText(resource, tx, id)!
    const response = {
      ...shown(201, text, resource),
      headers: [...duplicateHeader(duplicateOf), 'Location', `/${resource.path}/${id}`],
    }
    if (!once) return response
    return { ...response, body: JSON.stringify({ data: { ...JSON.parse(text), ...once } }), secret: true }
  })
}

function duplicateHeader(id: string | undefined): string[] {
  return id === undefined ? [] : ['Kontor-Duplicate-Of', id]
}

function patch(resource: Resource, call: Call, body: JsonObject): Promise<ApiResponse> {
  refuseParameters(call.query)
  const values = readPatch(resource, call.reader, body)
  const id = idOf(resource, call.params.id!)
  return call.write((tx) => {
    const readText = () => lookupText(resource, tx.unrestricted, id)! // the patch may hide the record from its author
    update(resource, tx, id, values, () => requireMatch(call.headers.ifMatch, readText, resource))
    return shown(200, readText(), resource)
  })
}

function destroy(resource: Resource, call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  const id = idOf(resource, call.params.id!)
  return call.write((tx) => {
    remove(resource, tx, id, () => requireMatch(call.headers.ifMatch, () => lookupText(resource, tx, id)!, resource))
    return deleted
  })
}
