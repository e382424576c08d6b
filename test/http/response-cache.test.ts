import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { type TestContext, test } from 'node:test'
import { insertUser } from '../../src/access/user.ts'
import { createApp } from '../../src/app.ts'
import { withStore } from '../../src/commands/open-store.ts'
import { limitSettings, networkSettings, readConfig } from '../../src/config.ts'
import { contact } from '../../src/crm/contact.ts'
import { insert } from '../../src/engine/records/rows/write.ts'
import type { ReadThreads } from '../../src/http/read.ts'
import { listen } from '../../src/http/server.ts'
import type { Writer } from '../../src/store/reader.ts'
import { type Client, clientFor } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { randomOf } from '../support/random.ts'
import { type Server, start } from '../support/start.ts'

const config = { ...readConfig([...limitSettings, ...networkSettings], {}, {}), port: 0, rateLimits: 'off' } as const

interface SecondServer {
  /** A client of this server with the same key. */
  as(client: Client): Client
  usage: { flush(): Promise<void> }
}

/** Starts a second server on the same store, with a cache of its own. */
async function serveAgain(
  t: TestContext,
  { store }: Pick<Server, 'store'>,
  responseCacheBytesMax: number,
  readThreads?: ReadThreads,
): Promise<SecondServer> {
  const app = createApp({
    config: { ...config, responseCacheBytesMax },
    store,
    ...(readThreads && { readThreads }),
  })
  const { url, drain } = await listen(app, config)
  t.after(drain)
  return { as: ({ keyId, key, addUser }) => clientFor(url, { id: keyId, key }, addUser), usage: app.usage }
}

/** Writes through a separate connection, as a command does while the server runs. */
function elsewhere(server: Server, run: (tx: Writer) => unknown): Promise<unknown> {
  return withStore(dirname(server.path), (store) => store.writeAccess((tx) => void run(tx)))
}

const lists = [
  '/api-v1-organizations',
  '/api-v1-organizations?name[like]=or&sort=name:desc',
  '/api-v1-contacts?include=organization,emails,phones&limit=3',
  '/api-v1-contacts?is_primary=true',
  '/api-v1-deals?include=organization,contact,assigned_user&sort=value:desc',
  '/api-v1-tasks?include=organization,contact,deal,assigned_user',
  '/api-v1-tasks?status=completed',
  '/api-v1-stages?sort=name:asc',
  '/api-v1-users?sort=full_name:asc',
  '/api-v1-keys?sort=created_at:asc',
  '/api-v1-me',
]

/** Writes by a client or another process. Each returns the path at which to read the changed record, if there is one. */
const writes: Record<string, (of: Party) => Promise<string | undefined>> = {
  create: async ({ client, random, records, userId }) => {
    const [organization, person, deal] = [records.organization, records.contact, records.deal].map((all) => all!.at(-1))
    const given: Record<string, JsonRecord> = {
      organization: { name: `Nordwind ${random.below(1000)}` },
      contact: {
        first_name: 'Grace',
        is_primary: true,
        organization_id: organization,
        emails: [{ email: 'g@a.test' }],
      },
      deal: { title: 'Warehouse', organization_id: organization, contact_id: person, assigned_to: userId },
      task: { title: 'Call', deal_id: deal, contact_id: person, assigned_to: userId },
      stage: { name: `Stage ${random.below(1e9)}` },
    }
    const name = random.pick(Object.keys(given))
    const { id } = await make(client, name, given[name])
    records[name]!.push(id)
    return `/api-v1-${name}s/${id}`
  },
  patch: async ({ client, random, records }) => {
    const changes: Record<string, JsonRecord> = {
      organization: { name: `Organa ${random.below(1000)}`, status: random.pick(['lead', 'active']) },
      contact: { last_name: `Hopper ${random.below(1000)}`, is_primary: random.below(2) === 1 },
      deal: { value: random.below(1000) },
      task: { status: random.pick(['completed', 'pending']) },
    }
    const name = random.pick(Object.keys(changes).filter((each) => records[each]!.length > 0))
    const path = `/api-v1-${name}s/${random.pick(records[name]!)}`
    await client.patch(path, changes[name])
    return path
  },
  remove: async ({ client, random, records }) => {
    const name = random.pick(['organization', 'contact', 'deal'])
    if (records[name]!.length < 3) return undefined
    const [id] = records[name]!.splice(random.below(records[name]!.length), 1)
    await client.delete(`/api-v1-${name}s/${id}`)
    return `/api-v1-${name}s/${id}`
  },
  phone: async ({ client, random, records }) => {
    const path = `/api-v1-contacts/${random.pick(records.contact!)}`
    await client.post(`${path}/phones`, { phone_number: `+49 ${random.below(1e6)}` })
    return path
  },
  user: async ({ client, random }) => `/api-v1-users/${await client.addUser({ full_name: `Ada ${random.below(99)}` })}`,
  'user of another process': async ({ server, companyId, random }) => {
    const email = `u${random.below(1e9)}@acme.test`
    await elsewhere(server, (tx) =>
      insertUser(tx, { companyId, fullName: `Eve ${random.below(99)}`, email, role: 'member' }),
    )
    return undefined
  },
  'record of another process': async ({ server, random, workspaceId }) => {
    const values = { first_name: `Joan ${random.below(99)}`, is_primary: 0, consent_to_record: 0, metadata: '{}' }
    await elsewhere(server, (tx) => insert(contact, tx.inWorkspace(workspaceId), { values, items: {} }, {}))
    return undefined
  },
}

interface Party {
  server: Server
  client: Client
  companyId: string
  workspaceId: number
  userId: string
  random: ReturnType<typeof randomOf>
  records: Record<string, string[]>
}

async function partyOf(server: Server, random: Party['random']): Promise<Party> {
  const client = await server.client()
  const ofKey =
    'SELECT workspace_id, company_id FROM api_key JOIN workspace ON workspace.id = workspace_id WHERE api_key.id = ?'
  const row = server.store.access.row<{ workspace_id: number; company_id: string }>(ofKey, client.keyId)!
  const userId = await client.addUser()
  const records: Party['records'] = { organization: [], contact: [], deal: [], task: [], stage: [] }
  for (const name of ['organization', 'contact', 'deal', 'task']) records[name]!.push((await make(client, name)).id)
  return { server, client, companyId: row.company_id, workspaceId: row.workspace_id, userId, random, records }
}

for (const [about, bytesMax] of [
  ['a cache for all responses', 2 ** 20],
  ['a cache for few responses', 2 ** 14],
] as const) {
  test(`After any write, a cached response equals a new one: ${about}`, async (t) => {
    const server = await start(t, { limits: { responseCacheBytesMax: 0 } })
    const caching = await serveAgain(t, server, bytesMax)
    const random = randomOf(bytesMax)
    const parties = [await partyOf(server, random), await partyOf(server, random)]
    for (let step = 0; step < 100; step++) {
      const party = random.pick(parties)
      const write = random.pick(Object.keys(writes))
      const client = random.below(2) === 0 ? party.client : caching.as(party.client)
      const path = await writes[write]!({ ...party, client })
      await server.usage.flush()
      await caching.usage.flush()
      for (const { client } of parties) {
        for (const read of [random.pick(lists), random.pick(lists), ...(path ? [path] : [])]) {
          await assertSame(client, caching.as(client), read, write)
        }
      }
    }
    await caching.usage.flush()
  })
}

/** Members that change with each request and are written once a second. */
const usage = new Set(['request_count', 'last_used_at', 'requests_per_minute', 'requests_per_day'])

/** Compares responses. Requests the caching server twice, so that the second response may be cached. Each server counts its own requests. */
async function assertSame(plain: Client, caching: Client, path: string, about: string): Promise<void> {
  for (const response of [await caching.get(path), await caching.get(path)]) {
    const made = await plain.get(path)
    const seen = ({ status, body, headers }: typeof made) => {
      const withoutUsage = JSON.stringify(body, (name, value) => (usage.has(name) ? undefined : value))
      return { status, body: JSON.parse(withoutUsage), etag: headers.get('etag') }
    }
    assert.deepEqual(seen(response), seen(made), `${path} after ${about}`)
  }
}

test('An off-thread list is not cached if a write happened in the meantime', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const ofKey = 'SELECT workspace_id FROM api_key WHERE id = ?'
  const workspaceId = server.store.access.value<number>(ofKey, client.keyId)!
  await server.store.write(workspaceId, (tx) => {
    const values = { first_name: 'Grace', is_primary: 0, consent_to_record: 0, metadata: '{}' }
    for (let row = 0; row < 2_001; row++) insert(contact, tx, { values, items: {} }, {})
  })
  const overtaken = Promise.withResolvers<void>()
  const found = Promise.withResolvers<void>()
  const readThreads: ReadThreads = {
    open: () => assert.fail('a list is not a long reading'),
    async run({ workspaceId }, reading, question) {
      const page = await reading.run(server.store.workspace(workspaceId), question as never)
      found.resolve()
      await overtaken.promise
      return page
    },
  }
  const { as, usage } = await serveAgain(t, server, 2 ** 20, readThreads)
  const caching = as(client)
  const path = '/api-v1-contacts?first_name=Grace&limit=1'
  const asked = caching.get(path)
  await found.promise

  await make(client, 'contact', { first_name: 'Grace' })
  overtaken.resolve()
  const [first, second] = [await asked, await caching.get(path)]
  await usage.flush()

  assert.deepEqual(
    [first, second].map(({ body }) => body.pagination.total),
    [2_001, 2_002],
  )
})
