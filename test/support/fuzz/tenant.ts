import { resources } from '../../../src/crm/index.ts'
import { isCompanyWide } from '../contract.ts'
import type { Random } from '../random.ts'

/** Where ids lie in a path: `{ id }`, or `{ id, email_id }` for an item. */
export type Place = Readonly<Record<string, string>>

/** A workspace that the fuzzer acts for, and what it has been told. */
export interface Tenant {
  /** In every text that it writes into records of its workspace. */
  mark: string
  /** In every text that it writes into what its company shares: its keys. */
  companyMark: string
  key: string
  /** The keys of its company that are never changed: without them the fuzzer could do nothing. */
  keyIds: readonly string[]
  /** By the path of the collection: `/api-v1-contacts`, `/api-v1-contacts/:id/emails`. */
  places: Map<string, Place[]>
  cursors: string[]
}

const remembered = 200

/** `keyIds` are those of all the company's tenants. */
export function newTenant(company: number, environment: string, key: string, keyIds: readonly string[]): Tenant {
  return {
    mark: `mark${company}${environment}`,
    companyMark: `mark${company}shared`,
    key,
    keyIds,
    places: new Map(),
    cursors: [],
  }
}

/** The mark for what is written below this path. */
export function markFor({ mark, companyMark }: Tenant, path: string): string {
  return isShared(path) ? companyMark : mark
}

/** Whether a path shows what both workspaces of a company share (decision A2). */
export function isShared(path: string): boolean {
  const shared = resources.filter(isCompanyWide).map((resource) => `/${resource.path}`)
  return [...shared, '/api-v1-me'].some((prefix) => path.startsWith(prefix))
}

export function remember<T>(list: T[], one: T, random: Random): void {
  if (list.length < remembered) list.push(one)
  else list[random.below(remembered)] = one
}

/** What an answer tells of where records and items are. */
export function learn(
  tenant: Tenant,
  target: string,
  body: unknown,
  location: string | undefined,
  random: Random,
): void {
  const [, collection, id] = /^(.*)\/([\w-]+)$/.exec(location ?? '') ?? []
  if (collection && id) placesAt(tenant, collection, random)({ id })
  const { data, pagination } = (body ?? {}) as { data?: unknown; pagination?: { next_cursor?: string } }
  if (pagination?.next_cursor) remember(tenant.cursors, pagination.next_cursor, random)
  const resource = resources.find(({ path }) => target.startsWith(`/${path}`))
  if (!resource) return
  for (const record of [data].flat() as Record<string, unknown>[]) {
    if (typeof record?.id !== 'string' || tenant.keyIds.includes(record.id)) continue
    placesAt(tenant, `/${resource.path}`, random)({ id: record.id })
    for (const [name, { as, item }] of Object.entries(resource.collections)) {
      const items = (record[as] ?? []) as { id: string }[]
      const add = placesAt(tenant, `/${resource.path}/:id/${name}`, random)
      for (const each of items) add({ id: record.id, [`${item}_id`]: each.id })
    }
  }
}

function placesAt({ places }: Tenant, collection: string, random: Random): (place: Place) => void {
  const known = places.get(collection) ?? []
  places.set(collection, known)
  return (place) => remember(known, place, random)
}
