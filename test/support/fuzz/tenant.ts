import { resources } from '../../../src/crm/index.ts'
import { isCompanyWide } from '../contract.ts'
import type { Random } from '../random.ts'
import { password, signIn, visit } from '../visitor.ts'

/** Where ids lie in a path: `{ id }`, or `{ id, email_id }` for an item. */
export type Place = Readonly<Record<string, string>>

/** A workspace that the fuzzer acts for, and what it has been told. */
export interface Tenant {
  /** In every text that it writes into records of its workspace. */
  mark: string
  /** In every text that it writes into what its company shares: its keys. */
  companyMark: string
  environment: string
  key: string
  /** Users of its company who have signed in. */
  members: readonly Member[]
  /** The keys and users of its company that are never changed: without them the fuzzer could do nothing. */
  keptIds: readonly string[]
  /** By the path of the collection: `/api-v1-contacts`, `/api-v1-contacts/:id/emails`. */
  places: Map<string, Place[]>
  cursors: string[]
  /** Of links by which new users choose a password. */
  invitations: string[]
}

export interface Member {
  email: string
  /** As a browser sends it. */
  cookie: string
  /** Whether it may end its sessions, or is needed to the end. */
  leaves: boolean
}

/** The users that each company needs: their roles, and who may leave. */
export const staff = [
  { role: 'owner', leaves: false },
  { role: 'member', leaves: false },
  { role: 'admin', leaves: true },
  { role: 'admin', leaves: true },
] as const

interface Given {
  url: string
  /** Of the company. */
  number: number
  /** Its keys, a workspace each. */
  keys: readonly { id: string; key: string; environment: string }[]
  /** In the order of `staff`, with the password of all visitors. */
  users: readonly { id: string; email: string }[]
}

const remembered = 200

/** A company's workspaces; its users sign in. */
export async function enterCompany({ url, number, keys, users }: Given): Promise<Tenant[]> {
  const members: Member[] = []
  for (const [index, { email }] of users.entries()) {
    const visitor = visit(url)
    await signIn(visitor, email, password)
    members.push({ email, cookie: visitor.cookie!, leaves: staff[index]!.leaves })
  }
  const keptIds = [...keys, ...users].map(({ id }) => id)
  return keys.map(({ environment, key }) => ({
    mark: `mark${number}${environment}`,
    companyMark: `mark${number}shared`,
    environment,
    key,
    members,
    keptIds,
    places: new Map([['/api-v1-users', users.map(({ id }) => ({ id }))]]),
    cursors: [],
    invitations: [],
  }))
}

/** The mark for what is written below this path. */
export function markFor({ mark, companyMark }: Tenant, path: string): string {
  return isShared(path) ? companyMark : mark
}

/** Whether a path shows what both workspaces of a company share (decision A2). */
export function isShared(path: string): boolean {
  const shared = resources.filter(isCompanyWide).map((resource) => `/${resource.path}`)
  if (path.startsWith('/console/pipeline')) return false
  return [...shared, '/api-v1-me', '/console/'].some((prefix) => path.startsWith(prefix))
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
  if (target.startsWith('/console/users')) learnUsers(tenant, data, random)
  const resource = resources.find(({ path }) => target.startsWith(`/${path}`))
  if (!resource) return
  for (const record of [data].flat() as Record<string, unknown>[]) {
    if (typeof record?.id !== 'string' || tenant.keptIds.includes(record.id)) continue
    placesAt(tenant, `/${resource.path}`, random)({ id: record.id })
    for (const [name, { as, item }] of Object.entries(resource.collections)) {
      const items = (record[as] ?? []) as { id: string }[]
      const add = placesAt(tenant, `/${resource.path}/:id/${name}`, random)
      for (const each of items) add({ id: record.id, [`${item}_id`]: each.id })
    }
  }
}

function learnUsers(tenant: Tenant, data: unknown, random: Random): void {
  const { user, invitation } = data as { user?: { id: string }; invitation?: string }
  if (invitation !== undefined) remember(tenant.invitations, invitation, random)
  for (const { id } of [Array.isArray(data) ? data : (user ?? [])].flat()) {
    if (!tenant.keptIds.includes(id)) placesAt(tenant, '/console/users', random)({ id })
  }
}

function placesAt({ places }: Tenant, collection: string, random: Random): (place: Place) => void {
  const known = places.get(collection) ?? []
  places.set(collection, known)
  return (place) => remember(known, place, random)
}
