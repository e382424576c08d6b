import { findCompany } from '../access/company.ts'
import { refuseParameters } from '../engine/query.ts'
import type { Answer, Call, Route } from '../engine/route.ts'
import { lookupText } from '../engine/select.ts'
import { apiKey } from './api-key.ts'

/** decision E3 */
export const meRoute: Route = { method: 'GET', path: '/api-v1-me', scope: 'any', takesBody: false, run: me }

function me({ query, caller, reader, access }: Call): Answer {
  refuseParameters(query)
  const { id, name } = findCompany(access, caller.companyId)
  const rest = JSON.stringify({
    company: { id, name },
    workspace: { environment: caller.environment },
    scopes: [...caller.scopes],
    plan: caller.plan,
    limits: caller.limits,
    features: [...caller.features],
  })
  return { status: 200, body: `{"data":{"key":${lookupText(apiKey, reader, caller.keyId)},${rest.slice(1)}}` }
}
