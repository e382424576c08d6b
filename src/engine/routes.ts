import { parseUuid } from '../lib/uuid.ts'
import type { Store } from '../store/store.ts'
import type { Operation, Resource } from './define.ts'
import { readListQuery, readRecordQuery, refuseParameters } from './query.ts'
import { listText, lookupText } from './select.ts'
import { type JsonObject, readCreate, readPatch } from './validate.ts'
import { insert, type Limits, notFound, remove, update } from './write.ts'

/** One request to a route: authenticated, within its limits, in scope. */
export interface Call {
  store: Store
  workspaceId: number
  limits: Limits
  cursorSecret: string
  params: Readonly<Record<string, string>>
  /** Without `?`. */
  query: string
  /** `{}` where the route takes none. */
  body: JsonObject
}

export interface Answer {
  status: number
  /** JSON text. */
  body: string
  headers?: readonly string[]
}

/** An endpoint, whatever transport serves it. Errors are thrown as ApiError. */
export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** `/api-v1-organizations/:id` */
  path: string
  scope: string
  takesBody: boolean
  run(call: Call): Answer | Promise<Answer>
}

/** The endpoints that follow from a resource's definition. */
export function routesOf(resource: Resource): Route[] {
  const path = `/${resource.path}`
  const read = { scope: `read:${resource.scope}`, takesBody: false }
  const write = { scope: `write:${resource.scope}`, takesBody: true }
  const operations: Record<Operation, Route> = {
    list: { method: 'GET', path, ...read, run: (call) => list(resource, call) },
    create: { method: 'POST', path, ...write, run: (call) => create(resource, call) },
    get: { method: 'GET', path: `${path}/:id`, ...read, run: (call) => get(resource, call) },
    patch: { method: 'PATCH', path: `${path}/:id`, ...write, run: (call) => patch(resource, call, call.body) },
    delete: {
      method: 'DELETE',
      path: `${path}/:id`,
      ...write,
      takesBody: false,
      run: (call) => destroy(resource, call),
    },
  }
  const actions = resource.actions.map((action): Route => {
    const run = (call: Call) => patch(resource, call, action.patch(call.body))
    return { method: 'PATCH', path: `${path}/:id/${action.path}`, ...write, takesBody: action.takesBody, run }
  })
  return [...resource.operations.map((operation) => operations[operation]), ...actions]
}

function list(resource: Resource, { store, workspaceId, query, cursorSecret }: Call): Answer {
  const parsed = readListQuery(resource, query)
  return {
    status: 200,
    body: listText(resource, store.workspace(workspaceId), parsed, { secret: cursorSecret, workspaceId }),
  }
}

function get(resource: Resource, { store, workspaceId, query, params }: Call): Answer {
  readRecordQuery(resource, query)
  const text = lookupText(resource, store.workspace(workspaceId), idOf(resource, params))
  if (text === undefined) throw notFound(resource)
  return record(200, text)
}

async function create(resource: Resource, { store, workspaceId, query, body, limits }: Call): Promise<Answer> {
  refuseParameters(query)
  const input = readCreate(resource, store.workspace(workspaceId), body)
  const { id, text } = await store.write(workspaceId, (tx) => {
    const id = insert(resource, tx, input, limits)
    return { id, text: lookupText(resource, tx, id)! }
  })
  return { ...record(201, text), headers: ['Location', `/${resource.path}/${id}`] }
}

async function patch(resource: Resource, call: Call, body: JsonObject): Promise<Answer> {
  const { store, workspaceId, query, params } = call
  refuseParameters(query)
  const values = readPatch(resource, store.workspace(workspaceId), body)
  const id = idOf(resource, params)
  const text = await store.write(workspaceId, (tx) => {
    update(resource, tx, id, values)
    return lookupText(resource, tx, id)!
  })
  return record(200, text)
}

async function destroy(resource: Resource, { store, workspaceId, query, params }: Call): Promise<Answer> {
  refuseParameters(query)
  const id = idOf(resource, params)
  await store.write(workspaceId, (tx) => remove(resource, tx, id))
  return { status: 200, body: '{"data":{"deleted":true}}' }
}

function record(status: number, text: string): Answer {
  return { status, body: `{"data":${text}}` }
}

/** decision B9: what is no UUID is no record. */
function idOf(resource: Resource, params: Readonly<Record<string, string>>): string {
  const id = parseUuid(params.id!)
  if (id === undefined) throw notFound(resource)
  return id
}
