import { type Detail, validationError } from '../../../errors.ts'
import { type CursorValue, openCursor, sealCursor } from '../../../lib/cursor.ts'
import type { PhoneForms } from '../../../lib/text.ts'
import { askerOf, dependsOnAsker, forAsker } from '../../finding/list/asker.ts'
import { readWhole } from '../../finding/query/parameters.ts'
import { readFilters } from '../../finding/query/read-filters.ts'
import type { Converting } from '../../finding/summary/convert.ts'
import { type Group, type Summing, sumReading } from '../../finding/summary/find-groups.ts'
import { groupKey, groupOf, readGroups } from '../../finding/summary/groups.ts'
import { type Measure, measureOf, readMeasures } from '../../finding/summary/measures.ts'
import { declaredOf } from '../../records/declared/declared.ts'
import { invalid } from '../../records/definition/faults.ts'
import type { Resource } from '../../records/definition/resource.ts'
import { askedPhoneForms } from '../../records/phones/phone-forms.ts'
import type { ApiResponse } from '../call/http-response.ts'
import type { Call, Route } from '../call/route.ts'
import { describeSummary, groupsDefault, groupsMax } from './describe-summary.ts'

/** `GET /api-v1-deals/summary`: counts and sums of the records that a list's filters match, by groups (decision J4). */
export function summaryRoute(resource: Resource): Route {
  return {
    method: 'GET',
    path: summaryPath(resource),
    scope: resource.scopes.read,
    takesBody: false,
    cacheable: true,
    run: (call) => summarize(resource, call),
    describe: (doc) => describeSummary(doc, resource),
  }
}

export function summaryPath({ path }: Resource): string {
  return `/${path}/summary`
}

async function summarize(resource: Resource, call: Call): Promise<ApiResponse> {
  const { reader, cursorSecret: secret } = call
  const { summing, cursor, context, isPersonal } = readQuery(resource, call, askedPhoneForms(reader))
  const found = await call.read(sumReading, summing)
  const { keys, measures, limit } = summing
  const data = found.slice(0, limit).map(({ values, count, sums, unconverted }: Group) => ({
    group: groupOf(keys, values),
    count,
    ...Object.fromEntries(measures.map(({ name }, at) => [name, sums[at]])),
    ...(unconverted && { unconverted }),
  }))
  const has_more = found.length > limit
  const next_cursor = has_more ? sealCursor(secret, context, found[limit - 1]!.values) : null
  const body = JSON.stringify({ data, pagination: { limit, has_more, cursor, next_cursor } })
  return { status: 200, body, ...(isPersonal && { personal: true }) }
}

const parameters = ['group_by', 'periods', 'measure', 'limit', 'cursor'] as const

/** Throws VALIDATION_ERROR with every invalid parameter. */
function readQuery(resource: Resource, call: Call, phones: PhoneForms) {
  const { query, reader, caller, cursorSecret } = call
  const details: Detail[] = []
  const declared = declaredOf(resource, reader)
  const { once, where, meaning } = readFilters({ resource, declared, phones, names: parameters }, query, details)
  const grouping = { by: once.get('group_by'), periods: once.get('periods') }
  const asked = readGroups(resource, declared, grouping, details)
  const { measures, currencies } = readMeasures(resource, declared, once.get('measure'), details)
  const missing = currencies.filter((name) => asked.every((key) => key.name !== name))
  const keys = [...asked, ...missing.map((name) => groupKey(resource, name))]
  const limit = Math.min(readWhole(once, 'limit', details) ?? groupsDefault, groupsMax)
  const cursor = once.get('cursor') ?? null
  const context = `${caller.workspaceId} summary of ${resource.name} ${JSON.stringify([keys, ...meaning])}`
  const place = cursor === null ? undefined : placeOf(openCursor(cursorSecret, context, cursor), details)
  if (details.length > 0) throw validationError(details)
  const { name, table } = resource
  const summing: Summing = {
    name,
    table,
    where: forAsker(where, askerOf(call)),
    keys,
    measures,
    limit,
    place,
    stoppable: false,
    ...convertingFor(resource, measures, call),
  }
  return { summing, cursor, context, isPersonal: dependsOnAsker(where) || summing.converting !== undefined }
}

/** Rates become valid by time, and are those of the company: a summary with them is not cached. */
function convertingFor(resource: Resource, measures: readonly Measure[], { reader, clock }: Call) {
  const { conversion, amounts } = resource
  if (!conversion || measures.every(({ converted }) => !converted)) return {}
  const { of, rates } = conversion
  const converting: Converting = {
    amount: measureOf(resource, [], `sum:${of}`),
    currency: amounts[of]!.currency,
    rates: rates(reader, clock.now()),
  }
  return { converting }
}

function placeOf(place: CursorValue[] | undefined, details: Detail[]): CursorValue[] | undefined {
  const message = 'cursor is not valid here: use next_cursor of the last response, with the same groups and filters'
  if (!place) details.push(invalid('cursor', message, 'INVALID_FORMAT'))
  return place
}
