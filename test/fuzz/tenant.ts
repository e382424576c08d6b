import { viewerOf } from '../../src/access/role.ts'
import { loggedResources, resources } from '../../src/features/index.ts'
import type { Viewer } from '../../src/store/visibility.ts'
import { clientFor } from '../support/client.ts'
import { isCompanyWide } from '../support/contract.ts'
import type { Random } from '../support/random.ts'
import { password, signIn, visit } from '../support/visitor.ts'

/** The ids in a path: `{ id }`, or `{ id, email_id }` for an item. */
export type Place = Readonly<Record<string, string>>

/** A workspace for which the fuzzer sends requests, and what it has learned from responses. */
export interface Tenant {
  /** Part of every text in records of its workspace. */
  mark: string
  /** Part of every text in the records of its company: its keys. */
  companyMark: string
  environment: string
  key: string
  /** Signed-in users of its company. */
  members: readonly Member[]
  /** The keys and users that the fuzzer needs and never changes. */
  keptIds: readonly string[]
  /** The known ids by the path of their collection: `/api-v1-contacts`, `/api-v1-contacts/:id/emails`. */
  places: Map<string, Place[]>
  cursors: string[]
  /** Cursors of its log of changes. */
  positions: string[]
  /** The tokens of links by which new users choose a password. */
  invitations: string[]
  /** The mail addresses that are known. */
  addresses: string[]
  /** The raw messages that have been sent to it. */
  mails: string[]
  /** Who sends a request, by its `Cookie` or `Authorization`. The others see what the whole team sees. */
  viewers: ReadonlyMap<string, Viewer>
  /** Keys that users created for themselves while they were signed in. */
  ownKeys: readonly string[]
}

export interface Member {
  id: string
  email: string
  /** The value of the `Cookie` header. */
  cookie: string
  /** The route by which it may end its session; null: it never does. */
  leaves: string | null
}

/** The users of each company: their roles, and the routes by which they may end their sessions. Each route has users of its own, so each succeeds. */
export const staff = [
  { role: 'owner', leaves: null },
  { role: 'member', leaves: null },
  { role: 'admin', leaves: 'DELETE /console/session' },
  { role: 'admin', leaves: 'DELETE /console/sessions' },
] as const

interface Given {
  url: string
  /** The number of the company. */
  number: number
  /** One key for each workspace of the company. */
  keys: readonly { id: string; key: string; environment: string }[]
  /** The company's users in the order of `staff`. All have the password of test/support/visitor.ts. */
  users: readonly { id: string; email: string }[]
}

const remembered = 200
const trashPath = '/api-v1-trash'
export const proposalsPath = '/api-v1-proposals'
export const deliveriesPath = '/api-v1-webhooks/:webhook_id/deliveries'

/** Signs in the users of a company. Returns its workspaces. */
export async function enterCompany({ url, number, keys, users }: Given): Promise<Tenant[]> {
  const members: Member[] = []
  for (const [index, { id, email }] of users.entries()) {
    const visitor = visit(url)
    await signIn(visitor, email, password)
    members.push({ id, email, cookie: visitor.cookie!, leaves: staff[index]!.leaves })
  }
  const tenants: Tenant[] = []
  for (const { environment, key, id } of keys) {
    const headers = { 'Kontor-Environment': environment }
    const own = await ownKeysOf(url, members, headers)
    const sessions = members.map(({ cookie }, at) => [cookie, viewerOf(users[at]!.id, staff[at]!.role)] as const)
    tenants.push({
      mark: `mark${number}${environment}`,
      companyMark: `mark${number}shared`,
      ...{ environment, key, members },
      keptIds: [id, ...[...keys, ...users, ...own].map((each) => each.id)],
      places: new Map([['/api-v1-users', users.map((each) => ({ id: each.id }))]]),
      ...{ cursors: [], positions: [], invitations: [], mails: [] },
      addresses: await addressesOf(url, key, users),
      viewers: new Map([...sessions, ...own.map((each) => [`Bearer ${each.key}`, each.viewer] as const)]),
      ownKeys: own.map((each) => each.key),
    })
  }
  return tenants
}

/** An owner and a member create keys for themselves. */
async function ownKeysOf(url: string, members: readonly Member[], headers: Record<string, string>) {
  const made = []
  for (const [at, { cookie, id: userId }] of members.slice(0, 2).entries()) {
    const body = { name: 'Own', user_id: userId, scopes: at === 0 ? ['admin:all'] : ['read:all', 'write:all'] }
    const { data } = (await Object.assign(visit(url), { cookie }).post('/api-v1-keys', body, headers)).body
    made.push({ id: data.id as string, key: data.key as string, viewer: viewerOf(userId, staff[at]!.role) })
  }
  return made
}

/** An address of the company, for the team, and those of an owner and a member, for themselves. */
async function addressesOf(url: string, key: string, users: Given['users']): Promise<string[]> {
  const client = clientFor(url, { id: '', key })
  const own = users.slice(0, 2).map(({ id }) => ({ kind: 'user', user_id: id, audience: 'participants' }))
  const addresses = []
  for (const body of [{ kind: 'company' }, ...own]) {
    addresses.push((await client.post('/api-v1-mail-addresses', body)).body.data.address as string)
  }
  return addresses
}

/** The mark for records below a path. */
export function markFor({ mark, companyMark }: Tenant, path: string): string {
  return isShared(path) ? companyMark : mark
}

/** Whether both workspaces of a company see the records below a path (decision A2). */
export function isShared(path: string): boolean {
  const shared = resources.filter(isCompanyWide).map((resource) => `/${resource.path}`)
  return [...shared, '/api-v1-me', '/console/'].some((prefix) => path.startsWith(prefix))
}

/** Whether a path shows changes, or who made or proposes them: with records of the workspace also the company's users and keys. */
export function isLog(path: string): boolean {
  return /^\/mcp|^\/api-v1-(?:proposals|changes|snapshot|trash|undo)|\/history(?:\?|$)/.test(path)
}

export function remember<T>(list: T[], one: T, random: Random): void {
  if (list.length < remembered) list.push(one)
  else list[random.below(remembered)] = one
}

/** Learns the ids of records and items from a response. */
export function learn(
  tenant: Tenant,
  target: string,
  body: unknown,
  location: string | undefined,
  random: Random,
): void {
  const [, collection, id] = /^(.*)\/([\w-]+)$/.exec(location ?? '') ?? []
  if (collection && id) placesAt(tenant, collection, random)({ id })
  const { data, pagination, cursor } = (body ?? {}) as {
    data?: unknown
    pagination?: { next_cursor?: string }
    cursor?: string
  }
  if (cursor !== undefined) remember(tenant.positions, cursor, random)
  if (pagination?.next_cursor) remember(tenant.cursors, pagination.next_cursor, random)
  if (target.startsWith('/console/users')) learnUsers(tenant, data, random)
  for (const path of [trashPath, proposalsPath].filter((each) => target.startsWith(each))) {
    for (const { id } of [data ?? []].flat() as { id?: string }[]) if (id) placesAt(tenant, path, random)({ id })
  }
  const resource = loggedResources.find(({ path }) => target.startsWith(`/${path}`))
  if (!resource) return
  for (const record of [data].flat() as Record<string, unknown>[]) {
    if (typeof record?.id !== 'string' || tenant.keptIds.includes(record.id)) continue
    if (typeof record.webhook_id === 'string') {
      placesAt(tenant, deliveriesPath, random)({ webhook_id: record.webhook_id, delivery_id: record.id })
      continue
    }
    placesAt(tenant, `/${resource.path}`, random)({ id: record.id })
    if (typeof record.address === 'string' && record.kind) remember(tenant.addresses, record.address, random)
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
