import { findCompany, updateCompany } from '../access/company.ts'
import { findPlan } from '../access/plan.ts'
import type { Answer } from '../engine/route.ts'
import { type ConsoleRoute, data, type MemberCall, readTexts } from './route.ts'

/** The company and its plan; the plan is the operator's to choose. */
export const companyRoutes: ConsoleRoute[] = [
  { method: 'PATCH', path: '/console/company', takesBody: true, for: 'admin', run: rename },
  { method: 'GET', path: '/console/plan', for: 'member', run: showPlan },
]

async function rename({ write, body }: MemberCall): Promise<Answer> {
  const { name } = readTexts(body, ['name'])
  return data(await write((tx, { companyId }) => updateCompany(tx, companyId, { name })))
}

function showPlan({ store, session }: MemberCall): Answer {
  return data(findPlan(store.access, findCompany(store.access, session.companyId).plan))
}
