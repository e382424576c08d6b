import { type Detail, validationError } from '../../../errors.ts'
import { type CursorValue, openCursor, sealCursor } from '../../../lib/cursor.ts'
import { comparedFor } from '../../finding/duplicates/compared.ts'
import { type DuplicateSearch, duplicatesReading } from '../../finding/duplicates/find.ts'
import type { Place } from '../../finding/duplicates/group.ts'
import { readParameters, readWhole } from '../../finding/query/parameters.ts'
import { invalid } from '../../records/definition/faults.ts'
import type { Resource } from '../../records/definition/resource.ts'
import { phoneCountryOf } from '../../records/phones/phone-forms.ts'
import type { ApiResponse } from '../call/http-response.ts'
import type { Call, Route } from '../call/route.ts'
import { describeDuplicates } from './describe-duplicates.ts'

/** `GET /api-v1-contacts/duplicates`: groups of records that may be the same (decision K5). */
export function duplicatesRoute(resource: Resource): Route {
  return {
    method: 'GET',
    path: `/${resource.path}/duplicates`,
    scope: resource.scopes.read,
    takesBody: false,
    cacheable: true,
    run: (call) => listDuplicates(resource, call),
    describe: (doc) => describeDuplicates(doc, resource),
  }
}

async function listDuplicates(resource: Resource, call: Call): Promise<ApiResponse> {
  const { search, cursor, context } = readQuery(resource, call)
  const { limit } = search
  const found = await call.read(duplicatesReading, search)
  const data = found.slice(0, limit).map(({ reason, value, count, ids }) => ({ reason, value, count, ids }))
  const has_more = found.length > limit
  const next_cursor = has_more ? sealCursor(call.cursorSecret, context, found[limit - 1]!.place) : null
  return { status: 200, body: JSON.stringify({ data, pagination: { limit, has_more, cursor, next_cursor } }) }
}

/** Throws VALIDATION_ERROR with every invalid parameter. */
function readQuery(resource: Resource, { query, reader, caller, cursorSecret }: Call) {
  const details: Detail[] = []
  const given = readParameters(query, ['limit', 'cursor'], details)
  const { default: usual, max } = resource.pageSize
  const limit = Math.min(readWhole(given, 'limit', details) ?? usual, max)
  const cursor = given.get('cursor') ?? null
  const country = phoneCountryOf(reader)
  const context = `${caller.workspaceId} duplicates of ${resource.name} ${country}`
  const after = cursor === null ? undefined : placeOf(openCursor(cursorSecret, context, cursor), details)
  if (details.length > 0) throw validationError(details)
  const compared = resource.duplicates.map((reason) => comparedFor(resource, reason))
  const search: DuplicateSearch = { compared, limit, after }
  return { search, cursor, context }
}

function placeOf(place: CursorValue[] | undefined, details: Detail[]): Place | undefined {
  if (place) return place as Place
  const message = 'cursor is not valid here: use next_cursor of the last response'
  details.push(invalid('cursor', message, 'INVALID_FORMAT'))
  return undefined
}
