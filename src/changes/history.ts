import type { ApiResponse } from '../engine/api/call/http-response.ts'
import type { Call, Route } from '../engine/api/call/route.ts'
import { readParameters } from '../engine/finding/query/parameters.ts'
import type { Reading } from '../engine/finding/reading.ts'
import { invalid } from '../engine/records/definition/faults.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import { idOf, notFound } from '../engine/records/select.ts'
import { type Detail, validationError } from '../errors.ts'
import { openCursor, sealCursor } from '../lib/cursor.ts'
import { packUuid } from '../lib/uuid.ts'
import type { Reader } from '../store/reader.ts'
import { isRestricted } from '../store/visibility.ts'
import { describeHistory, limitDefault, limitMax } from './describe-history.ts'
import { readCount } from './feed-query.ts'
import { showFirst } from './show.ts'
import { hasFewChanges, pageLengthMax, selectHeads, selectSome } from './stored-change.ts'

/** `GET /api-v1-contacts/:id/history`: a record's changes, newest first, also of a deleted record (decision G10). */
export function historyRoute(resource: Resource): Route {
  return {
    method: 'GET',
    path: `/${resource.path}/:id/history`,
    scope: resource.changesReadBy?.({})[0] ?? resource.scopes.read,
    takesBody: false,
    run: (call) => history(resource, call),
    describe: (doc) => describeHistory(doc, resource),
  }
}

/** A page of a record's history: the name of its resource, and the changes before a number. */
interface HistoryQuestion {
  resource: string
  id: string
  before: number
  limit: number
}

interface HistoryPage {
  /** JSON texts of changes, newest first. */
  texts: string[]
  /** The number of the last change if more follow; otherwise null. */
  last: number | null
}

/** Reads a page of a record's history. */
export function historyReading(resources: readonly Resource[]): Reading<HistoryQuestion, HistoryPage> {
  return {
    name: 'history',
    isQuick: (reader, { id }) => hasFewChanges(reader, id),
    run(reader, question) {
      const resource = resources.find(({ name }) => name === question.resource)!
      return readHistory(resource, reader, question)
    },
  }
}

function readHistory(resource: Resource, reader: Reader, { id, before, limit }: HistoryQuestion): HistoryPage {
  const packed = packUuid(id)
  const rest = 'AND record_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?'
  const found = selectSome(reader, 'record_id', rest, [packed, before], { limit, bytesMax: pageLengthMax })
  const changes = found.filter((change) => change.resource === resource.name)
  const loaded = changes.map((change) => ({ change, resource }))
  const texts = showFirst(reader, loaded, 'full', pageLengthMax)
  const last = changes[texts.length - 1]?.seq ?? 0
  const hasMore = selectHeads(reader, 'record_id', 'AND record_id = ? AND seq < ? LIMIT 1', packed, last).length > 0
  return { texts, last: hasMore ? last : null }
}

async function history(resource: Resource, call: Call): Promise<ApiResponse> {
  const id = idOf(resource, call.params.id!)
  const seal = { secret: call.cursorSecret, context: `${call.caller.workspaceId} history ${id}` }
  const { limit, before, cursor } = readQuery(call.query, seal)
  const { reader } = call
  const question = { resource: resource.name, id, before, limit }
  const { texts, last } = await call.read(historyReading([resource]), question)
  if ((texts.length === 0 || isRestricted(resource.table)) && !exists(resource, reader, id)) throw notFound(resource)
  const next_cursor = last === null ? null : sealCursor(seal.secret, seal.context, [last])
  const pagination = JSON.stringify({ limit, has_more: last !== null, cursor, next_cursor })
  await call.log.synced()
  return { status: 200, body: `{"data":[${texts.join()}],"pagination":${pagination}}` }
}

/** Whether a record exists or existed. Its changes may have been pruned. */
function exists(resource: Resource, reader: Reader, id: string): boolean {
  const sql = `SELECT 1 FROM ${resource.table} WHERE workspace_id = :workspace AND id = ?`
  return reader.value(sql, id) !== undefined
}

function readQuery(queryString: string, seal: { secret: string; context: string }) {
  const details: Detail[] = []
  const given = readParameters(queryString, ['limit', 'cursor'], details)
  const limit = readCount(given, { name: 'limit', min: 1, max: limitMax, fallback: limitDefault }, details)
  const cursor = given.get('cursor') ?? null
  const place = cursor === null ? [Number.MAX_SAFE_INTEGER] : openCursor(seal.secret, seal.context, cursor)
  if (!place) {
    details.push(invalid('cursor', 'cursor is not valid here: use next_cursor of the last response', 'INVALID_FORMAT'))
  }
  if (details.length > 0) throw validationError(details)
  return { limit, cursor, before: Number(place![0]) }
}
