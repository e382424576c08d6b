import { ApiError } from '../errors.ts'
import type { Reader, Writer } from '../store/reader.ts'

/** What a plan allows; null is unlimited (spec: Rate limits; decision A11). */
export type PlanLimits = {
  requests_per_minute: number
  requests_per_day: number
  max_organizations: number | null
  max_contacts: number | null
}

export type Plan = PlanLimits & { name: string }

/** Each request of a minute takes 8 bytes of memory a key. */
export const requestsMax = 100_000

/** What an operator may set of a plan, by column. */
export const planLimits = ['requests_per_minute', 'requests_per_day', 'max_organizations', 'max_contacts'] as const

export const defaultPlan = 'enterprise'

const columns = ['name', ...planLimits].join(', ')

export function listPlans(reader: Reader): Plan[] {
  return reader.rows<Plan>(`SELECT ${columns} FROM plan ORDER BY rank`)
}

/** Throws NOT_FOUND, naming the plans there are. */
export function findPlan(reader: Reader, name: string): Plan {
  const plan = reader.row<Plan>(`SELECT ${columns} FROM plan WHERE name = ?`, name)
  if (plan) return plan
  const names = listPlans(reader).map((each) => each.name)
  throw new ApiError('NOT_FOUND', `Plan not found: ${name}; there are ${names.join(', ')}`)
}

/** Sets the limits that are given; null lifts one. */
export function updatePlan(
  tx: Writer,
  name: string,
  limits: { [K in keyof PlanLimits]?: PlanLimits[K] | undefined },
): Plan {
  findPlan(tx, name)
  for (const limit of planLimits) {
    if (limits[limit] !== undefined) tx.run(`UPDATE plan SET ${limit} = ? WHERE name = ?`, limits[limit], name)
  }
  return findPlan(tx, name)
}
