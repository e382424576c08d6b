import { type CompanyChanges, findCompany, updateCompany } from '../access/company.ts'
import { findPlan } from '../access/plan.ts'
import type { ApiResponse } from '../engine/http-response.ts'
import { requirePhoneCountry } from '../engine/phone-country.ts'
import { ApiError } from '../errors.ts'
import { type ConsoleRoute, data, type MemberCall, readTexts } from './route.ts'

/** The company and its plan. Only the operator can change the plan. */
export const companyRoutes: ConsoleRoute[] = [
  { method: 'PATCH', path: '/console/company', takesBody: true, for: 'admin', run: change },
  { method: 'GET', path: '/console/plan', for: 'member', run: showPlan },
]

/** Changes the name or the phone country, or both. `known_name`, if present, is the name that the user saw. Throws CONFLICT with 412, as `If-Match` does, if the company has another name by now. */
async function change({ write, body }: MemberCall): Promise<ApiResponse> {
  const { phone_country } = body
  const changes: CompanyChanges = phone_country === undefined || 'name' in body ? readTexts(body, ['name']) : {}
  if (phone_country !== undefined) changes.phone_country = await requirePhoneCountry(phone_country)
  const company = await write((tx, { companyId }) => {
    if (body.known_name !== undefined && body.known_name !== findCompany(tx, companyId).name) {
      throw new ApiError('CONFLICT', 'The company has been renamed in the meantime', { status: 412 })
    }
    return updateCompany(tx, companyId, changes)
  })
  return data(company)
}

function showPlan({ store, session }: MemberCall): ApiResponse {
  return data(findPlan(store.access, findCompany(store.access, session.companyId).plan))
}
