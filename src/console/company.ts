import { type CompanyChanges, findCompany, findWorkspaceId, updateCompany } from '../access/company.ts'
import { findPlan, type Plan } from '../access/plan.ts'
import { listUsers } from '../access/user.ts'
import { storedBytes } from '../crm/storage.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import { requirePhoneCountry } from '../engine/records/phones/phone-country.ts'
import { storedCount } from '../engine/records/select.ts'
import { ApiError } from '../errors.ts'
import { resources } from '../features/index.ts'
import { type ConsoleRoute, data, type MemberCall, readTexts } from './route.ts'

/** The company and its plan. Only the operator can change the plan. */
export const companyRoutes: ConsoleRoute[] = [
  { method: 'PATCH', path: '/console/company', takesBody: true, for: 'admin', run: change },
  { method: 'GET', path: '/console/plan', for: 'member', run: showPlan },
]

/** Changes the given members: the name, the phone country, the currency, the time zone. `known_name`, if present, is the name that the user saw. Throws CONFLICT with 412, as `If-Match` does, if the company has another name by now. */
async function change({ write, body }: MemberCall): Promise<ApiResponse> {
  const { phone_country } = body
  const texts = ['name', 'currency', 'time_zone'].filter((name) => name in body)
  const isNameMissing = texts.length === 0 && phone_country === undefined
  const changes: CompanyChanges = readTexts(body, isNameMissing ? ['name'] : texts)
  if (phone_country !== undefined) changes.phone_country = await requirePhoneCountry(phone_country)
  const company = await write((tx, { companyId }) => {
    if (body.known_name !== undefined && body.known_name !== findCompany(tx, companyId).name) {
      throw new ApiError('CONFLICT', 'The company has been renamed in the meantime', { status: 412 })
    }
    return updateCompany(tx, companyId, changes)
  })
  return data(company)
}

/** A plan and what a company uses of it. */
export interface PlanUsage {
  plan: Plan
  /** The active users, whom no plan limits. */
  users: number
  /** The records of the workspace, and the stored bytes of the company, by the limit that applies to them. */
  used: Partial<Record<keyof Plan, number>>
}

function showPlan({ store, session: { companyId }, environment }: MemberCall): ApiResponse {
  const reader = store.workspace(findWorkspaceId(store.access, companyId, environment))
  const limited = resources.flatMap(({ limit, name }) => (limit ? [[limit, storedCount(name, reader)]] : []))
  const usage: PlanUsage = {
    plan: findPlan(store.access, findCompany(store.access, companyId).plan),
    users: listUsers(store.access, companyId).filter(({ is_active }) => is_active).length,
    used: { ...Object.fromEntries(limited), max_storage_bytes: storedBytes(reader) },
  }
  return data(usage)
}
