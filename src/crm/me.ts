import { findCompany } from '../access/company.ts'
import { planFeatures, planLimits } from '../access/plan.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import type { Call, Route } from '../engine/api/call/route.ts'
import { refuseParameters } from '../engine/finding/query/parameters.ts'
import type { JsonSchema } from '../engine/records/definition/about.ts'
import type { Describer } from '../engine/records/describe.ts'
import { lookupText, notFound, storedCount } from '../engine/records/select.ts'
import { administration, apiKey } from './api-key.ts'
import { records } from './records.ts'
import { storedBytes } from './storage.ts'

/** `GET /api-v1-me`: the key, its company, and the limits and their use (decision E3). */
export const meRoute: Route = {
  method: 'GET',
  path: '/api-v1-me',
  scope: 'any',
  takesBody: false,
  run: me,
  describe: (doc) => ({
    id: 'getMe',
    tag: doc.tag(apiKey),
    summary: 'Get the API key of the request and its permissions',
    response: {
      about: 'The key, its company, workspace, scopes, plan, limits and current usage.',
      schema: doc.envelope('Me', meSchema(doc)),
    },
    errors: { NOT_FOUND: 'The request comes from the console, which has a session instead of a key.' },
    example: { response: { data: exampleMe(doc) } },
  }),
}

function meSchema(doc: Describer): JsonSchema {
  const limit = (name: string) => [
    name,
    { type: name.startsWith('max_') ? ['integer', 'null'] : 'integer', minimum: 0 },
  ]
  const words = { type: 'array', items: { type: 'string' } }
  return doc.schema('Me', () =>
    doc.object({
      key: doc.record(apiKey),
      company: doc.schema('CompanySummary', () =>
        doc.object({ id: { type: 'string', format: 'uuid' }, name: { type: 'string' } }),
      ),
      workspace: doc.schema('Workspace', () => doc.object({ environment: doc.field(apiKey, 'environment') })),
      scopes: doc.field(apiKey, 'scopes'),
      plan: { type: 'string' },
      limits: doc.schema('PlanLimits', () => ({
        ...doc.object(Object.fromEntries(planLimits.map(limit))),
        description: 'Null means unlimited.',
      })),
      usage: doc.schema('PlanUsage', () => ({
        ...doc.object(Object.fromEntries(planLimits.map((name) => [name, { type: 'integer', minimum: 0 }]))),
        description:
          'Current usage of each limit: requests of the key, records of the workspace, bytes of all files of the company, live and test, trash included.',
      })),
      features: { ...words, description: 'The features of the plan.' },
    }),
  )
}

function exampleMe(doc: Describer) {
  const { scopes } = administration
  return {
    key: doc.exampleRecord(apiKey, { id: doc.exampleId('api_key 1'), ...administration }),
    company: { id: doc.exampleId('company'), name: 'Acme' },
    workspace: { environment: 'live' },
    scopes,
    plan: 'enterprise',
    limits: {
      requests_per_minute: 300,
      requests_per_day: 20_000,
      max_organizations: null,
      max_contacts: null,
      max_deals: null,
      max_storage_bytes: null,
    },
    usage: {
      requests_per_minute: 12,
      requests_per_day: 340,
      max_organizations: 25,
      max_contacts: 120,
      max_deals: 40,
      max_storage_bytes: 48_230,
    },
    features: planFeatures,
  }
}

/** The resources that a plan may limit. */
const limited = records.filter(({ limit }) => limit !== undefined)

/** The number of records that count against each limit, by the name of the limit. */
function usageOf({ reader, countRequests }: Call): Record<string, number> {
  const records = limited.map(({ name, limit }) => [limit!, storedCount(name, reader)])
  return { ...countRequests(), ...Object.fromEntries(records), max_storage_bytes: storedBytes(reader) }
}

async function me(call: Call): Promise<ApiResponse> {
  const { query, caller, reader, access } = call
  refuseParameters(query)
  const key = lookupText(apiKey, reader, caller.keyId)
  if (key === undefined) throw notFound(apiKey)
  const { id, name } = findCompany(access, caller.companyId)
  const data = {
    key: JSON.parse(key),
    company: { id, name },
    workspace: { environment: caller.environment },
    scopes: [...caller.scopes],
    plan: caller.plan,
    limits: caller.limits,
    usage: usageOf(call),
    features: [...caller.features],
  }
  return { status: 200, body: JSON.stringify({ data }) }
}
