import { findCompany, updateCompany } from '../access/company.ts'
import { findPlan } from '../access/plan.ts'
import type { ApiResponse } from '../engine/http-response.ts'
import { ApiError } from '../errors.ts'
import { type ConsoleRoute, data, type MemberCall, readTexts } from './route.ts'

/** The company and its plan. Only the operator can change the plan. */
export const companyRoutes: ConsoleRoute[] = [
  { method: 'PATCH', path: '/console/company', takesBody: true, for: 'admin', run: rename },
  { method: 'GET', path: '/console/plan', for: 'member', run: showPlan },
]

/** `known_name`, if present, is the name that the user saw. Throws CONFLICT with 412, as `If-Match` does, if the company has another name by now. */
async function rename({ write, body }: MemberCall): Promise<ApiResponse> {
  const { name } = readTexts(body, ['name'])
  const company = await write((tx, { companyId }) => {
    if (body.known_name !== undefined && body.known_name !== findCompany(tx, companyId).name) {
      throw new ApiError('CONFLICT', 'The company has been renamed in the meantime', { status: 412 })
    }
    return updateCompany(tx, companyId, { name })
  })
  return data(company)
}

function showPlan({ store, session }: MemberCall): ApiResponse {
  return data(findPlan(store.access, findCompany(store.access, session.companyId).plan))
}
