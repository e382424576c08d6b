import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client } from '../support/client.ts'
import { contacts, importAll } from '../support/imports.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { newOwner } from '../support/visitor.ts'
import { asEvents, openOnceAdmitted, openStream, openStreamAs, type Stream } from './events.ts'
import { changesPath, largeMetadata, newestCursor, pageOf } from './feed.ts'

test('A stream sends the changes that the log has, then each new one, in the form of the feed', async (t) => {
  const { url, company } = await start(t)
  const { client } = await company('Acme')
  await make(client, 'organization')
  const before = (await pageOf(client)).data.length
  const stream = await openStream(t, url, client)

  const old = await take(stream, before)
  await make(client, 'contact')
  const [next] = await take(stream, 1)

  const { data, log_id, cursor } = await pageOf(client)
  assert.deepEqual(
    [...old, next!].map((event) => event.data),
    data,
  )
  assert.deepEqual([next!.event, next!.id], ['contact.created', cursor])
  assert.ok(
    [...old, next!].every((event) => event.id === `${log_id}-${event.data.seq}` && event.event === event.data.type),
  )
})

test('A stream begins with the time after which clients reconnect, and is neither compressed nor buffered', async (t) => {
  const { url, company } = await start(t)
  const { client } = await company('Acme')
  const headers = { 'Accept-Encoding': 'gzip' }

  const stream = await openStream(t, url, client, { query: '?after=now', headers })

  const text = await stream.until('\n\n')
  assert.equal(text, `retry: 3000\nid: ${await newestCursor(client)}\n\n`)
  assert.equal(stream.headers['content-type'], 'text/event-stream')
  assert.equal(stream.headers['cache-control'], 'no-cache, no-transform')
  assert.equal(stream.headers['x-accel-buffering'], 'no')
  assert.deepEqual([stream.headers['content-encoding'], stream.headers['content-length']], [undefined, undefined])
})

test('A stream continues after Last-Event-ID, whatever its query says', async (t) => {
  const { url, company } = await start(t)
  const { client } = await company('Acme')
  const headers = { 'Last-Event-ID': await newestCursor(client) }
  const { id } = await make(client, 'organization')

  for (const query of ['?after=start', '?after=now']) {
    const stream = await openStream(t, url, client, { query, headers })
    assert.equal((await stream.next()).data.record_id, id)
  }
})

test('A stream that is interrupted and continued misses and repeats nothing', async (t) => {
  const { url, company } = await start(t)
  const { client } = await company('Acme')
  const writing = importAll(client, 'contacts', contacts(300))
  const numbers: number[] = []
  let headers: Record<string, string> = {}
  for (let round = 0; numbers.length < 300; round++) {
    const stream = await openStream(t, url, client, { headers, query: '?types=contact.*&limit=7' })
    for (const event of await take(stream, Math.min(300 - numbers.length, 40 + round))) {
      numbers.push(event.data.seq)
      headers = { 'Last-Event-ID': event.id }
    }
    stream.close()
  }
  await writing

  const { data } = await pageOf(client, '?types=contact.*&limit=1000')
  assert.deepEqual(
    numbers,
    data.map(({ seq }: { seq: number }) => seq),
  )
})

test('A stream sends what its key may see and its query asks for', async (t) => {
  const { url, company } = await start(t)
  const { client, key } = await company('Acme')
  const reader = await key({ scopes: ['read:deals', 'read:contacts'] })
  const query = '?after=now&types=deal.created,organization.*&payload=ids'
  const stream = await openStream(t, url, reader, { query })

  for (const name of ['organization', 'contact', 'deal']) await make(client, name)

  const { event, data } = await stream.next()
  assert.deepEqual([event, 'data' in data], ['deal.created', false])
})

test('A stream sends a comment regularly, with the position if no event has told it', async (t) => {
  const { url, company } = await start(t, { times: { checkMs: 20, heartbeatMs: 20 } })
  const { client } = await company('Acme')
  const stream = await openStream(t, url, client, { query: '?after=now&types=deal.*' })

  await stream.until('\n:\n\n')
  await make(client, 'contact')

  await stream.until(`:\nid: ${await newestCursor(client)}\n\n`)
})

test('A key may have 5 streams; a closed one makes room for another', async (t) => {
  const { url, company } = await start(t)
  const { client, key } = await company('Acme')
  const streams = await openAll(t, url, [client, client, client, client, client])

  const refused = await client.get(changesPath, asEvents)
  await openStream(t, url, await key())
  streams[2]!.close()
  await openOnceAdmitted(t, url, client)

  assertError(refused, 429, 'RATE_LIMIT_EXCEEDED')
  assert.ok(refused.headers.has('retry-after'))
})

test('A company may have 50 streams', async (t) => {
  const server = await start(t)
  const [acme, other] = [await server.company('Acme'), await server.company('Other')]
  const keys = await Promise.all(Array.from({ length: 11 }, () => acme.key()))
  await openAll(
    t,
    server.url,
    keys.slice(0, 10).flatMap((client) => Array(5).fill(client)),
  )

  assertError(await keys[10]!.get(changesPath, asEvents), 429, 'RATE_LIMIT_EXCEEDED')
  await openStream(t, server.url, other.client)
})

test('Streams do not count as requests in progress', async (t) => {
  const server = await start(t, { limits: { requestsMax: 2, requestsPerClientMax: 2 } })
  const { client } = await server.company('Acme')
  for (let count = 0; count < 4; count++) await openStream(t, server.url, client)

  assert.equal((await client.get('/api-v1-me')).status, 200)
})

test('A signed-in user of the console can open a stream', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const headers = { Cookie: owner.cookie!, 'Kontor-Environment': 'live' }
  const stream = await openStreamAs(t, server.url, headers, '?after=now')

  await owner.post('/api-v1-organizations', { name: 'Acme' })

  assert.equal((await stream.next()).data.actor.type, 'user')
})

test('Changes that take more than 1 MiB reach a client that reads', async (t) => {
  const server = await start(t, { times: { checkMs: 20 } })
  const { client } = await server.company('Acme')
  const stream = await openStream(t, server.url, client, { query: '?after=now' })

  const sent = []
  for (let count = 0; count < 30; count++) sent.push(await make(client, 'organization', { metadata: largeMetadata }))

  const events = await take(stream, 30)
  assert.deepEqual(
    events.map(({ data }) => data.record_id),
    sent.map(({ id }) => id),
  )
})

async function take(stream: Stream, count: number) {
  const events = []
  while (events.length < count) events.push(await stream.next())
  return events
}

function openAll(t: Parameters<typeof openStream>[0], url: string, clients: Client[]): Promise<Stream[]> {
  return Promise.all(clients.map((client) => openStream(t, url, client)))
}
