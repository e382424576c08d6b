import { ApiError } from '../errors.ts'
import type { Reader, Writer } from '../store/reader.ts'

/** The columns of limits that an operator can set; null is unlimited (spec: Rate limits; decision A11). */
export const planLimits = [
  'requests_per_minute',
  'requests_per_day',
  'max_organizations',
  'max_contacts',
  'max_deals',
  'max_storage_bytes',
] as const

/** The columns of optional features (decision A11). */
export const planFeatures = ['bulk_import', 'webhooks'] as const

export type PlanLimits = {
  requests_per_minute: number
  requests_per_day: number
  max_organizations: number | null
  max_contacts: number | null
  max_deals: number | null
  max_storage_bytes: number | null
}

type PlanFeatures = Record<(typeof planFeatures)[number], boolean>

export type Plan = { name: string } & PlanLimits & PlanFeatures

/** A plan's columns as stored. */
export type StoredPlan = PlanLimits & Record<keyof PlanFeatures, number>

/** New values by column; undefined: unchanged. */
type PlanChanges = { [K in keyof (PlanLimits & PlanFeatures)]?: (PlanLimits & PlanFeatures)[K] | undefined }

/** The maximum number of requests that a plan can allow. The time of each request within a minute takes up to 16 bytes of memory. */
export const requestsMax = 100_000

export const defaultPlan = 'enterprise'

export const planColumns = [...planLimits, ...planFeatures] as const

export function listPlans(reader: Reader): Plan[] {
  return reader
    .rows<StoredPlan & { name: string }>(`SELECT name, ${planColumns.join(', ')} FROM plan ORDER BY rank`)
    .map(planOf)
}

/** Throws NOT_FOUND with the names of all plans. */
export function findPlan(reader: Reader, name: string): Plan {
  const plans = listPlans(reader)
  const plan = plans.find((each) => each.name === name)
  if (plan) return plan
  throw new ApiError('NOT_FOUND', `Plan not found: ${name}; the plans are ${plans.map((each) => each.name).join(', ')}`)
}

/** Changes the given columns; null removes a limit. */
export function updatePlan(tx: Writer, name: string, changes: PlanChanges): Plan {
  findPlan(tx, name)
  for (const column of planColumns) {
    const value = changes[column]
    const stored = typeof value === 'boolean' ? Number(value) : value
    if (stored !== undefined) tx.run(`UPDATE plan SET ${column} = ? WHERE name = ?`, stored, name)
  }
  return findPlan(tx, name)
}

/** The limits of the plan of a workspace's company. */
export function findLimits(reader: Reader, workspaceId: number): PlanLimits {
  const sql = `SELECT ${planLimits.join(', ')} FROM workspace
    JOIN company ON company.id = company_id JOIN plan ON plan.name = company.plan WHERE workspace.id = ?`
  return reader.row<PlanLimits>(sql, workspaceId)!
}

/** The limits among a row's columns. */
export function limitsOf(row: PlanLimits): PlanLimits {
  return Object.fromEntries(planLimits.map((limit) => [limit, row[limit]])) as PlanLimits
}

/** The features that are on in a row. */
export function featuresOf(row: StoredPlan): ReadonlySet<string> {
  return new Set(planFeatures.filter((feature) => row[feature] === 1))
}

/** Throws FEATURE_NOT_ENABLED if the plan of a caller does not have a feature (decision A11). */
export function requireFeature(
  feature: string,
  { features, plan }: { readonly features: ReadonlySet<string>; readonly plan: string },
): void {
  if (features.has(feature)) return
  throw new ApiError('FEATURE_NOT_ENABLED', `Your plan (${plan}) does not include ${feature.replaceAll('_', ' ')}`)
}

function planOf<T extends StoredPlan>(stored: T) {
  const features = Object.fromEntries(planFeatures.map((feature) => [feature, stored[feature] === 1])) as PlanFeatures
  return { ...stored, ...features }
}
