import { grants, missingScope } from '../access/scopes.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import type { Call, Caller, Route } from '../engine/api/call/route.ts'
import { searchReading } from '../engine/finding/search/find.ts'
import { searchTargetOf } from '../engine/finding/search/list-filter.ts'
import { declaredOf } from '../engine/records/declared/declared.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import { askedPhoneForms } from '../engine/records/phones/phone-forms.ts'
import { describeSearch } from './describe-search.ts'
import { readSearchQuery } from './search-query.ts'

/** `GET /api-v1-search`: finds records of several resources (decision J1). */
export function searchRoute(resources: readonly Resource[]): Route {
  return {
    method: 'GET',
    path: '/api-v1-search',
    scope: 'read:any',
    takesBody: false,
    run: (call) => search(resources, call),
    describe: (doc) => describeSearch(doc, resources),
  }
}

async function search(resources: readonly Resource[], call: Call): Promise<ApiResponse> {
  const { reader } = call
  const { query, types, limit } = readSearchQuery(resources, call.query, askedPhoneForms(reader))
  const asked = resources.filter(({ name }) => types?.includes(name) ?? true)
  const targets = readable(asked, call.caller).map((each) => searchTargetOf(each, declaredOf(each, reader))!)
  const found = await call.read(searchReading, { query, targets, limit })
  return { status: 200, body: JSON.stringify({ data: found }) }
}

/** The resources that the caller may read. Throws INSUFFICIENT_PERMISSIONS if there are none. */
function readable(asked: readonly Resource[], { scopes }: Caller): Resource[] {
  const allowed = asked.filter(({ scopes: { read } }) => grants(scopes, read))
  if (allowed.length > 0) return allowed
  throw missingScope(...asked.map(({ scopes: { read } }) => read))
}
