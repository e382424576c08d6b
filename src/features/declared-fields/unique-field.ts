import { type ApiResponse, shown } from '../../engine/api/call/http-response.ts'
import type { Call, Route } from '../../engine/api/call/route.ts'
import { isBeingIndexed, isLarge } from '../../engine/records/declared/declare.ts'
import type { Row } from '../../engine/records/definition/change.ts'
import { noteRow, purgeRow } from '../../engine/records/rows/rows.ts'
import { lookupDeletedRow, lookupRow } from '../../engine/records/rows/stored-row.ts'
import { remove, update } from '../../engine/records/rows/write.ts'
import { lookupText } from '../../engine/records/select.ts'
import { ApiError } from '../../errors.ts'
import { parseUuid } from '../../lib/uuid.ts'
import { unavailable } from '../../store/constraint.ts'
import type { Reader, Writer } from '../../store/reader.ts'
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

/** The same for the routes of the trash. */
export function withUniqueRestored(route: Route): Route {
  return route.path.endsWith('/:id/restore') ? { ...route, run: (call) => restore(route, call) } : route
}

/** Declares a field over many records without `unique`, and makes it unique when it is indexed, or removes it. Both writes check the caller's rights. */
async function create({ run }: Route, call: Call): Promise<ApiResponse> {
  const { body, reader } = call
  const resource = declarable.find(({ name }) => name === body.resource)
  if (body.unique !== true || !resource || !isLarge(resource, reader)) return run(call)
  const created = await run({ ...call, body: { ...body, unique: false }, write: call.prepare })
  return uniqueLater(call, created, purge)
}

/** The same for a field that returns from the trash: it is removed again. */
async function restore({ run }: Route, call: Call): Promise<ApiResponse> {
  if (!isUniqueLater(call.reader, parseUuid(call.params.id!) ?? '')) return run(call)
  const restored = await run({ ...call, write: call.prepare })
  return uniqueLater(call, restored, removeUnique)
}

/** The values with which a deleted field returns. */
export function returningWith(reader: Reader, id: string): Row {
  return isUniqueLater(reader, id) ? { unique: 0 } : {}
}

/** Whether a deleted field returns without `unique`, because its values are not known. */
function isUniqueLater(reader: Reader, id: string): boolean {
  const row = lookupDeletedRow(field, reader, id)
  return row?.unique === 1 && isLarge(declarable.find(({ name }) => name === row.resource)!, reader)
}

/** Makes a field unique when it is indexed. If values are taken, takes back that it was written, unless somebody has changed it in the meantime. */
async function uniqueLater(
  call: Call,
  written: ApiResponse,
  takeBack: (tx: Writer, id: string) => void,
): Promise<ApiResponse> {
  const { id } = JSON.parse(String(written.body)).data
  await untilIndexed(call, id)
  try {
    return await call.write((tx) => {
      if (!lookupRow(field, tx, id)) throw new ApiError('CONFLICT', 'The field was deleted while it was being indexed')
      update(field, tx, id, { unique: 1 })
      return { ...written, ...shown(written.status, lookupText(field, tx, id)!, field) }
    })
  } catch (error) {
    const isRefused = error instanceof ApiError && error.code === 'CONFLICT'
    if (isRefused) {
      await call.prepare((tx) => {
        if (lookupRow(field, tx, id)?.unique === 0) takeBack(tx, id)
        return written
      })
    }
    throw error
  }
}

/** Removes a new field. It does not enter the trash. */
function purge(tx: Writer, id: string): void {
  field.beforeRemove!({ tx, id, before: lookupRow(field, tx, id)! })
  purgeRow(field, tx, id)
}

/** In the trash, the field is unique as before: the next attempt restores it so. */
function removeUnique(tx: Writer, id: string): void {
  remove(field, tx, id)
  noteRow(field, tx, id, { unique: 1 })
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
