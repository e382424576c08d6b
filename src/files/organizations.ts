import type { FileRecord } from './to-record.ts'

/** Finds organizations: returns the id of each value that one has in `by`: `id` or `metadata.key`. */
export type FindOrganizations = (by: string, values: readonly string[]) => Promise<ReadonlyMap<string, string>>

interface Named {
  name?: string
  domain?: string
  metadata?: Record<string, string>
}

/** The number of values that one list is asked for. */
export const valuesMax = 50

/**
 * Decides which organization each record refers to (decision K4): the one with a value of metadata, such as an account imported before; the
 * one with the id, if it exists here; otherwise the one with the name or domain. Returns the errors, by index.
 */
export async function settleOrganizations(
  records: readonly FileRecord[],
  find: FindOrganizations,
): Promise<Map<number, string>> {
  const wanted = new Map<string, Set<string>>()
  for (const record of records) {
    const { by, value } = keyOf(record) ?? {}
    if (by !== undefined && value !== undefined) wanted.set(by, (wanted.get(by) ?? new Set()).add(value))
  }
  const found = new Map<string, ReadonlyMap<string, string>>()
  for (const [by, values] of wanted) found.set(by, await findAll(by, [...values], find))
  const faults = new Map<number, string>()
  for (const [index, record] of records.entries()) {
    const key = keyOf(record)
    const fault = key && settle(record, key, found.get(key.by)!.get(key.value))
    if (fault) faults.set(index, fault)
  }
  return faults
}

/** What the organization of a record is looked up by; undefined: nothing has to be looked up. */
function keyOf({ organization, organization_id }: FileRecord): { by: string; value: string } | undefined {
  const { metadata } = (organization ?? {}) as Named
  const [key, value] = Object.entries(metadata ?? {})[0] ?? []
  if (key !== undefined && value !== undefined) return { by: `metadata.${key}`, value }
  return organization !== undefined && typeof organization_id === 'string'
    ? { by: 'id', value: organization_id }
    : undefined
}

function settle(record: FileRecord, { by, value }: { by: string; value: string }, id: string | undefined) {
  const { name, domain } = record.organization as Named
  delete record.organization
  delete record.organization_id
  if (id !== undefined) record.organization_id = id
  else if (name !== undefined) record.organization = { name }
  else if (domain !== undefined) record.organization = { domain }
  else return `organization: No organization has ${by} "${value}"`
  return undefined
}

async function findAll(by: string, values: readonly string[], find: FindOrganizations): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let first = 0; first < values.length; first += valuesMax) {
    for (const [value, id] of await find(by, values.slice(first, first + valuesMax))) found.set(value, id)
  }
  return found
}

/** The list that finds organizations by these values. */
export function organizationsQuery(by: string, values: readonly string[]): Record<string, string | number> {
  return { [`filter[${by}][in]`]: values.join(), limit: 100 }
}

/** The ids of the organizations of such a list by value. Values are compared exactly. */
export function idsByValue(
  by: string,
  organizations: readonly { id: string; metadata?: Readonly<Record<string, unknown>> | null }[],
): Map<string, string> {
  const key = by.replace(/^metadata\./, '')
  return new Map(organizations.map((each) => [by === 'id' ? each.id : String(each.metadata?.[key]), each.id]))
}
