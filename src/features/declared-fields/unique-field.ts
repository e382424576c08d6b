import { type ApiResponse, shown } from '../../engine/api/call/http-response.ts'
import type { Call, Route } from '../../engine/api/call/route.ts'
import { indexedAtOnce, isBeingIndexed } from '../../engine/records/declared/declare.ts'
import { purgeRow } from '../../engine/records/rows/rows.ts'
import { lookupRow } from '../../engine/records/rows/stored-row.ts'
import { update } from '../../engine/records/rows/write.ts'
import { lookupText, storedCount } from '../../engine/records/select.ts'
import { ApiError } from '../../errors.ts'
import { unavailable } from '../../store/constraint.ts'
import type { Writer } from '../../store/reader.ts'
import { declarable, field } from './field.ts'

const pollMs = 100

/** The routes of fields: whoever makes a field unique waits until it is indexed, because only then can duplicates be found (decision J3). */
export function withUnique(route: Route): Route {
  const path = `/${field.path}`
  if (route.method === 'POST' && route.path === path) return { ...route, run: (call) => create(route, call) }
  if (route.method === 'PATCH' && route.path === `${path}/:id`) {
    return { ...route, run: (call) => patch(route, call) }
  }
  return route
}

/** Declares a field over many records without `unique`, and makes it unique when it is indexed, or removes it. Both writes check the caller's rights. */
async function create({ run }: Route, call: Call): Promise<ApiResponse> {
  const { body, reader } = call
  const resource = declarable.find(({ name }) => name === body.resource)
  if (body.unique !== true || !resource || storedCount(resource.name, reader) <= indexedAtOnce) return run(call)
  const created = await run({ ...call, body: { ...body, unique: false }, write: call.prepare })
  const { id } = JSON.parse(String(created.body)).data
  await untilIndexed(call, id)
  try {
    return await call.write((tx) => {
      if (!lookupRow(field, tx, id)) throw new ApiError('CONFLICT', 'The field was deleted while it was being indexed')
      update(field, tx, id, { unique: 1 })
      return { ...created, ...shown(201, lookupText(field, tx, id)!, field) }
    })
  } catch (error) {
    const isRefused = error instanceof ApiError && error.code === 'CONFLICT'
    if (isRefused) await call.prepare((tx) => discard(created, tx, id))
    throw error
  }
}

/** Removes the field again, unless somebody has changed it in the meantime. It does not enter the trash. */
function discard(created: ApiResponse, tx: Writer, id: string): ApiResponse {
  const before = lookupRow(field, tx, id)
  if (before?.unique !== 0) return created
  field.beforeRemove!({ tx, id, before })
  purgeRow(field, tx, id)
  return created
}

async function patch({ run }: Route, call: Call): Promise<ApiResponse> {
  if (call.body.unique === true) await untilIndexed(call, call.params.id!.toLowerCase())
  return run(call)
}

/** Throws SERVICE_UNAVAILABLE if the client goes or the server stops before the field is indexed. */
async function untilIndexed(call: Call, fieldId: string): Promise<void> {
  for (const { reader } = call; isBeingIndexed(reader, fieldId); ) {
    const begun = performance.now()
    const isWoken = await call.log.wait(Number.MAX_SAFE_INTEGER, pollMs)
    if (!isWoken && performance.now() - begun < pollMs / 2) {
      throw unavailable('The field is declared and being indexed: make it unique when it is')
    }
  }
}
