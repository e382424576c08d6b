import assert from 'node:assert/strict'
import type { Resource } from '../../src/engine/records/define.ts'
import { resources } from '../../src/features/index.ts'
import type { ApiResponse, Client } from './client.ts'
import { isCompanyWide, patchedOf } from './contract.ts'
import { contacts, ended } from './imports.ts'
import { bodyFor, consistent, type JsonRecord, newItems } from './make.ts'
import type { Random } from './random.ts'
import { validOf } from './samples.ts'

/** Line items need a deal (test/crm/line-item-histories.test.ts), and no body creates a message (test/fuzz/unseen.slow.test.ts). */
const unmade = ['line_item', 'message']

/** The resources whose records random writes change. */
const changed: readonly Resource[] = resources.filter((each) => !isCompanyWide(each) && !unmade.includes(each.name))

/** Every undeleted record by id, without relations: what readers see at one moment. */
export type State = ReadonlyMap<string, JsonRecord>

const limit = 100

export async function readState(client: Client): Promise<State> {
  const state = new Map<string, JsonRecord>()
  for (const resource of changed) {
    const include = Object.keys(resource.collections).join()
    const { body } = await client.get(`/${resource.path}?limit=${limit}${include && `&include=${include}`}`)
    assert.ok(body.pagination.total <= limit)
    for (const record of body.data) state.set(record.id, withoutRelations(resource, record))
  }
  return state
}

/** A record as the log shows it. */
export function withoutRelations({ relations }: Resource, record: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !Object.hasOwn(relations, name)))
}

/** The people on deals, whom records show only if they are asked: test/crm/deal-people.test.ts. */
export const links: ReadonlySet<string> = new Set(resources.flatMap((each) => Object.keys(each.links)))

export function withoutLinks(values: JsonRecord | null): JsonRecord | null {
  return values && Object.fromEntries(Object.entries(values).filter(([name]) => !links.has(name)))
}

/** Sends a random write, which may be refused. Returns the id of its request. */
export async function writeAnything(client: Client, random: Random, state: State): Promise<string> {
  if (random.below(15) === 0) return importSome(client)
  if (random.below(10) === 0) return restoreAny(client, random)
  const resource = random.pick(changed)
  const own = await idsOf(client, resource)
  const { collections, operations, path } = resource
  const at = own.length > 0 ? `/${path}/${random.pick(own)}` : undefined
  const draws: (() => Promise<ApiResponse>)[] = [
    async () => client.post(`/${path}`, { ...(await bodyOf(client, random, resource, state)), ...newItems(resource) }),
  ]
  if (at && operations.includes('patch')) {
    const patch = async () => client.patch(at, await bodyOf(client, random, resource, state))
    draws.push(patch, patch, patch)
  }
  if (at && operations.includes('delete')) draws.push(() => client.delete(at))
  for (const [name, { about }] of Object.entries(at ? collections : {})) {
    draws.push(
      () => client.post(`${at}/${name}`, about.first),
      () => changeItem(client, random, `${at}/${name}`, state.get(at!.split('/')[2]!)?.[collections[name]!.as]),
    )
  }
  return requestIdOf(await random.pick(draws)())
}

async function idsOf(client: Client, { path }: Resource): Promise<string[]> {
  const { body } = await client.get(`/${path}?limit=${limit}`)
  return body.data.map(({ id }: JsonRecord) => id)
}

/** The required fields and some others. References refer to existing records. */
async function bodyOf(client: Client, random: Random, resource: Resource, state: State): Promise<JsonRecord> {
  const body = await bodyFor(client, resource)
  for (const field of patchedOf(resource).filter(() => random.below(2) === 0)) {
    if (field.target) {
      const ids = field.target === resource ? [] : await idsOf(client, field.target)
      const known = ids.filter((id) => state.has(id))
      if (known.length > 0) body[field.name] = random.pick(known)
    } else if (field.kind !== 'email') body[field.name] = random.pick(await validOf(client, field))
  }
  return consistent(resource, body)
}

/** Changes or deletes an item. */
function changeItem(client: Client, random: Random, path: string, items: JsonRecord[] = []): Promise<ApiResponse> {
  if (items.length === 0) return client.get('/api-v1-me')
  const { id } = random.pick(items)
  return random.below(2) === 0 ? client.delete(`${path}/${id}`) : client.patch(`${path}/${id}`, { is_primary: true })
}

async function restoreAny(client: Client, random: Random): Promise<string> {
  const { body } = await client.get('/api-v1-trash')
  const id = body.data.length > 0 ? random.pick(body.data as JsonRecord[]).id : client.keyId
  return requestIdOf(await client.post(`/api-v1-trash/${id}/restore`, {}))
}

async function importSome(client: Client): Promise<string> {
  const response = await client.post('/api-v1-bulk/contacts', { records: contacts(3) })
  assert.equal(response.status, 202)
  await ended(client, response.headers.get('location')!)
  return requestIdOf(response)
}

export function requestIdOf({ headers }: ApiResponse): string {
  return headers.get('x-request-id')!
}
