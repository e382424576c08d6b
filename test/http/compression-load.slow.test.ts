import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { request } from 'node:http'
import { type TestContext, test } from 'node:test'
import zlib from 'node:zlib'
import type { Client } from '../support/client.ts'
import { make } from '../support/make.ts'
import { allCaughtUp } from '../support/readers.ts'
import { type Server, start } from '../support/start.ts'
import { ask, type Encoded, textOf } from './encoded.ts'

const list = '/api-v1-organizations?sort=name'
const pages = '/api-v1-activities?sort=created_at:asc'

interface Asking {
  server: Server
  client: Client
  get(path: string): Promise<Encoded>
}

async function begin(t: TestContext, options: Parameters<typeof start>[1] = {}): Promise<Asking> {
  const server = await start(t, { rateLimits: 'off', ...options })
  const { client } = await server.company('Acme')
  for (let number = 0; number < 10; number++) await make(client, 'organization', { name: `Nordwind ${number}` })
  await allCaughtUp(server)
  return { server, client, get: (path) => ask(`${server.url}${path}`, headersOf(client)) }
}

const headersOf = ({ key }: Client) => ({ 'Accept-Encoding': 'gzip', Authorization: `Bearer ${key}` })

const isCompressed = ({ headers }: Encoded) => headers['content-encoding'] === 'gzip'

/** Returns a function that counts the bodies that this process has begun to compress. zlib's threads decode no request of these tests. */
function countCompressions(t: TestContext): () => number {
  let count = 0
  const hook = createHook({
    init(_id, type) {
      if (type === 'ZLIB') count++
    },
  }).enable()
  t.after(() => hook.disable())
  return () => count
}

/** Delays every compression until `release` is called, which resolves when those that were delayed have ended. */
function holdCompressions(t: TestContext): { begun(count: number): Promise<void>; release(): Promise<unknown> } {
  const real = zlib.gzip
  const held: (() => Promise<void>)[] = []
  let notify = () => {}
  t.mock.method(zlib, 'gzip', (...[body, options, end]: Parameters<typeof real>) => {
    held.push(
      () =>
        new Promise((resolve) => {
          real(body, options, (...result) => {
            end(...result)
            resolve()
          })
        }),
    )
    notify()
  })
  return {
    begun: (count) =>
      new Promise((resolve) => {
        notify = () => void (held.length >= count && resolve())
        notify()
      }),
    release() {
      t.mock.restoreAll()
      return Promise.all(held.map((go) => go()))
    },
  }
}

test('A cached response is compressed once, also for concurrent requests, until something changes', async (t) => {
  const { client, get } = await begin(t)
  const count = countCompressions(t)

  const together = await Promise.all(Array.from({ length: 5 }, () => get(list)))
  const later = await get(list)
  const once = count()
  await make(client, 'organization', { name: 'Added' })
  const changed = await get(list)

  assert.equal(once, 1)
  assert.equal(count(), 2)
  assert.ok([...together, later, changed].every(isCompressed))
  assert.ok(textOf(changed).includes('Added') && !textOf(later).includes('Added'))
})

test('A client beyond its share of compression gets uncompressed responses, other clients still get compressed ones', {
  timeout: 60_000,
}, async (t) => {
  const { server, get } = await begin(t, { limits: { responseCacheBytesMax: 0 } })
  const { client: other } = await server.company('Globex')
  await make(other, 'organization', { metadata: { pad: 'x'.repeat(3_000) } })
  const held = holdCompressions(t)
  let count = 0
  const waiting: Promise<Encoded>[] = []
  for (;;) {
    waiting.push(get(list))
    const isHeld = held.begun(count + 1).then(() => true)
    const isResponded = waiting.at(-1)!.then(() => false)
    if (!(await Promise.race([isHeld, isResponded]))) break
    count++
  }

  const plain = await waiting.pop()!
  const ofOther = ask(`${server.url}${list}`, headersOf(other), { from: '127.0.0.2' })
  await held.begun(count + 1)
  await held.release()

  assert.ok(count > 4 && count < 64, `${count} at once`)
  assert.ok(!isCompressed(plain))
  for (const response of await Promise.all(waiting)) {
    assert.ok(isCompressed(response))
    assert.equal(textOf(response), textOf(plain))
  }
  assert.ok(isCompressed(await ofOther))
  assert.ok(isCompressed(await get(list)))
})

test('A client that disconnects while its response is compressed affects no one else and releases its share', {
  timeout: 60_000,
}, async (t) => {
  const { server, client, get } = await begin(t, { limits: { responseCacheBytesMax: 0 } })
  const held = holdCompressions(t)
  const gone = Array.from({ length: 10 }, () => {
    const asked = request(`${server.url}${list}`, { headers: headersOf(client), agent: false })
    asked.on('error', () => {})
    asked.end()
    return asked
  })
  await held.begun(gone.length)

  for (const asked of gone) asked.destroy()
  await held.release()
  const responses = await Promise.all(Array.from({ length: 10 }, () => get(list)))

  assert.ok(responses.every(isCompressed))
})

test('If zlib fails, the response is sent uncompressed', async (t) => {
  const { get } = await begin(t)
  t.mock.method(zlib, 'gzip', (_body: unknown, _options: unknown, end: (error: Error) => void) =>
    end(new Error('out of memory')),
  )

  const failed = await get(list)
  t.mock.restoreAll()
  const next = await get(list)

  assert.deepEqual([failed.status, isCompressed(failed), failed.headers.vary], [200, false, 'Accept-Encoding'])
  assert.ok(isCompressed(next))
  assert.equal(textOf(next), textOf(failed))
})

test('A page of more than 1 MiB is compressed while it is sent, complete and in order', async (t) => {
  const { client, get, server } = await begin(t)
  const description = 'ü'.repeat(50_000)
  for (let number = 0; number < 30; number++) {
    await make(client, 'activity', { type: 'note', subject: `Note ${number}`, description })
  }

  const packed = await get(pages)
  const plain = await ask(`${server.url}${pages}`, { Authorization: `Bearer ${client.key}` })

  assert.ok(isCompressed(packed) && !isCompressed(plain))
  assert.deepEqual([packed.headers.vary, plain.headers.vary], ['Accept-Encoding', 'Accept-Encoding'])
  assert.equal(textOf(packed), textOf(plain))
  assert.equal(JSON.parse(textOf(packed)).data.length, 30)
})

test('Clients that disconnect in the middle of a long compressed page release their share', async (t) => {
  const { client, get, server } = await begin(t)
  const random = () => Array.from({ length: 60_000 }, () => Math.random().toString(36).charAt(2)).join('')
  for (let number = 0; number < 60; number++) {
    await make(client, 'activity', { type: 'note', description: random() })
  }

  for (let turn = 0; turn < 20; turn++) {
    await new Promise<void>((resolve) => {
      const asked = request(`${server.url}${pages}`, { headers: headersOf(client), agent: false }, (response) => {
        assert.equal(response.statusCode, 200)
        response.once('data', () => response.destroy())
        response.once('close', resolve)
        response.on('error', () => {})
      })
      asked.end()
    })
  }

  assert.equal(JSON.parse(textOf(await get(pages))).data.length, 60)
})
