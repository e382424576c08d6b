import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { revokeKey } from '../../src/access/key.ts'
import { type ApiResponse, assertError, type Client } from '../support/client.ts'
import { contacts, submit } from '../support/imports.ts'
import { make } from '../support/make.ts'
import { administer } from '../support/program.ts'
import { start } from '../support/start.ts'
import { beginWaiting, changesPath, newestCursor, typesIn } from './feed.ts'

const longest = 'wait=30'
const main = new URL('../../src/main.ts', import.meta.url).pathname

test('A request that waits responds as soon as another request makes a change', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const waiting = await beginWaiting(client, `?after=${await newestCursor(client)}&${longest}`)
  const tooEarly = waiting.isDone()

  const { id } = await make(client, 'organization')
  const { status, body } = await waiting.response

  assert.deepEqual([tooEarly, status, body.has_more], [false, 200, false])
  assert.deepEqual([typesIn(body.data), body.data[0].data.id], [['organization.created'], id])
  assert.equal(body.cursor, await newestCursor(client))
})

test('A request waits for a change that matches, and not for those of others', async (t) => {
  const server = await start(t)
  const [{ client }, other] = [await server.company('Acme'), await server.company('Other')]
  const query = `?after=${await newestCursor(client)}&types=deal.*&${longest}`
  const waiting = await beginWaiting(client, query)

  await make(client, 'contact')
  await make(other.client, 'deal')
  for (let turn = 0; turn < 5; turn++) await client.get('/api-v1-me')
  const tooEarly = waiting.isDone()
  await make(client, 'deal')
  const { body } = await waiting.response

  assert.deepEqual([tooEarly, typesIn(body.data)], [false, ['deal.created']])
})

test('When the time is over, the page is empty, and its cursor is after the changes of other types', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const waiting = await beginWaiting(client, `?after=${await newestCursor(client)}&types=deal.*&wait=1`)

  await make(client, 'contact')
  const { body } = await waiting.response

  assert.deepEqual([body.data, body.has_more, body.cursor], [[], false, await newestCursor(client)])
})

test('A request that waits is woken by an import in the worker thread', async (t) => {
  const { client } = await (await start(t, { work: 'thread' })).company('Acme')
  const waiting = await beginWaiting(client, `?after=${await newestCursor(client)}&types=contact.*&${longest}`)

  await submit(client, 'contacts', contacts(1))
  const { body } = await waiting.response

  assert.deepEqual([typesIn(body.data), body.data[0].actor.type], [['contact.created'], 'import'])
})

test('A request that waits is woken by the command line, which is another process', async (t) => {
  const { directory, company } = await start(t)
  const { client, id } = await company('Acme')
  const waiting = await beginWaiting(client, `?after=${await newestCursor(client)}&${longest}`)

  const options = ['--data', directory, '--company', id, '--name', 'Night', '--scopes', 'read:all']
  const key = await administer([process.execPath, main], 'key', 'create', ...options)
  const { body } = await waiting.response

  const [change] = body.data
  assert.deepEqual([change.type, change.record_id, change.actor.type], ['api_key.created', key.id, 'operator'])
})

test('A key that is revoked while its request waits gets no change', async (t) => {
  const server = await start(t)
  const { client, key } = await server.company('Acme')
  const reader = await key({ scopes: ['read:all'] })
  const waiting = await beginWaiting(reader, `?after=now&types=contact.*&${longest}`)

  await server.store.writeAccess((tx) => revokeKey(tx, reader.keyId))
  await make(client, 'contact')

  assertError(await waiting.response, 401, 'API_KEY_REVOKED')
})

test('A key that loses a scope while its request waits does not see the changes of that scope', async (t) => {
  const { client, key } = await (await start(t)).company('Acme')
  const reader = await key({ scopes: ['read:contacts', 'read:deals'] })
  const waiting = await beginWaiting(reader, `?after=now&${longest}`)

  await client.patch(`/api-v1-keys/${reader.keyId}`, { scopes: ['read:deals'] })
  await make(client, 'contact')
  await make(client, 'deal')

  assert.deepEqual(typesIn((await waiting.response).body.data), ['deal.created'])
})

test('Requests that wait do not count as requests in progress', async (t) => {
  const { client } = await (await start(t, { limits: { requestsMax: 2, requestsPerClientMax: 2 } })).company('Acme')
  const after = await newestCursor(client)
  const waiting = []
  for (let count = 0; count < 5; count++) waiting.push(await beginWaiting(client, `?after=${after}&${longest}`))

  await make(client, 'organization')

  for (const { response } of waiting) assert.equal((await response).body.data.length, 1)
})

test('A key may have 50 requests that wait; one whose client has gone makes room for another', async (t) => {
  const { url, company } = await start(t)
  const { client } = await company('Acme')
  const path = `${changesPath}?after=now&${longest}`
  const gone = request(`${url}${path}`, { headers: { Authorization: `Bearer ${client.key}` }, agent: false })
  gone.on('error', () => {}).end()
  const waiting = await Promise.all(Array.from({ length: 49 }, () => beginWaiting(client, `?after=now&${longest}`)))
  const refused = await client.get(path)

  gone.destroy()
  const [last] = await waitOnceAdmitted(client, path)
  await make(client, 'organization')

  assertError(refused, 429, 'RATE_LIMIT_EXCEEDED')
  assert.ok(refused.headers.has('retry-after'))
  const responses = await Promise.all([last, ...waiting.map(({ response }) => response)])
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
})

test('The requests of one company that wait leave places and connections to others, whatever keys they have', async (t) => {
  const server = await start(t, { limits: { connectionsMax: 8 } })
  const [acme, globex, third] = [
    await server.company('Acme'),
    await server.company('Globex'),
    await server.company('C'),
  ]
  const second = await acme.key()
  const path = `${changesPath}?after=now&${longest}`
  const ofAcme = await beginWaiting(acme.client, `?after=now&${longest}`)

  const refused = await second.get(path)
  const ofGlobex = await beginWaiting(globex.client, `?after=now&${longest}`)
  const full = await third.client.get(path)
  await make(acme.client, 'organization')
  await make(globex.client, 'organization')

  assertError(refused, 429, 'RATE_LIMIT_EXCEEDED')
  assertError(full, 503, 'SERVICE_UNAVAILABLE')
  assert.deepEqual([(await ofAcme.response).status, (await ofGlobex.response).status], [200, 200])
  const [again] = await waitOnceAdmitted(second, path)
  await make(acme.client, 'organization')
  assert.equal((await again).status, 200)
})

/** Sends requests until one is not refused. Resolves with a promise of its response, which waits. */
async function waitOnceAdmitted(client: Client, path: string): Promise<[Promise<ApiResponse>]> {
  for (;;) {
    const response = client.get(path)
    const first = await Promise.race([response, client.get('/api-v1-me').then(() => client.get('/api-v1-me'))])
    if (first.status !== 429) return [response]
  }
}

test('A server that stops responds to requests that wait at once', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const waiting = await beginWaiting(client, `?after=now&${longest}`)

  await server.drain()

  const { status, body } = await waiting.response
  assert.deepEqual([status, body.data], [200, []])
})

test('HEAD does not wait, and opens no stream', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const path = `${changesPath}?after=now&${longest}`

  const page = await client.request('HEAD', path)
  const stream = await client.request('HEAD', path, { headers: { Accept: 'text/event-stream' } })

  assert.deepEqual([page.status, stream.status], [200, 200])
  assert.equal(stream.headers.get('content-type'), 'text/event-stream')
})
