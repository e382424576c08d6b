import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ApiResponse, assertError, type Client } from '../support/client.ts'
import { ConnectionError } from '../support/exchange.ts'
import { make } from '../support/make.ts'
import { testUnless, withoutCompiler } from '../support/needs.ts'
import { prepareCompany } from '../support/prepare.ts'
import { until } from '../support/wait.ts'
import { type OnFaultyDisk, onFaultyDisk } from './on-faulty-disk.ts'

const test = testUnless(withoutCompiler)

const path = '/api-v1-organizations'
/** More than the event loop undoes. */
const changesOfLong = 60

async function names(client: Client): Promise<string[]> {
  const { body } = await client.get(`${path}?sort=name`)
  return body.data.map(({ name }: { name: string }) => name)
}

function assertUnavailable(response: ApiResponse): void {
  assertError(response, 503, 'SERVICE_UNAVAILABLE')
  assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
}

for (const error of ['ENOSPC', 'EROFS', 'EIO'] as const) {
  test(`While writing fails with ${error}, writes return 503 and reads are served; afterwards writes succeed without a restart`, async (t) => {
    const on = await onFaultyDisk(t)

    on.disk.fail('write', 'log', error)
    const refused = await Promise.all([
      on.client.post(path, { name: 'Refused' }),
      on.client.post('/api-v1-contacts', { first_name: 'Refused' }),
    ])
    const during = await names(on.client)
    on.disk.heal()
    await make(on.client, 'organization', { name: 'Second' })

    for (const response of refused) assertUnavailable(response)
    assert.deepEqual(during, ['First'])
    assert.deepEqual(await names(on.client), ['First', 'Second'])
    await on.server.stop('SIGKILL')
    on.disk.cutPower()
    await on.restart()
    assert.deepEqual(await names(on.client), ['First', 'Second'])
  })
}

test('A write that is acknowledged after a failed sync survives a power cut, although the kernel lost the pages of that sync', async (t) => {
  const on = await onFaultyDisk(t)

  on.disk.fail('sync', 'log', 'EIO')
  assertUnavailable(await on.client.post(path, { name: 'Unconfirmed' }))
  assertUnavailable(await on.client.post(path, { name: 'Refused' }))
  assert.equal((await on.client.get(path)).status, 200)
  on.disk.heal()
  await make(on.client, 'organization', { name: 'Second' })
  await on.server.stop('SIGKILL')
  on.disk.cutPower()
  await on.restart()

  const after = await names(on.client)
  assert.deepEqual(
    after.filter((name) => name !== 'Unconfirmed'),
    ['First', 'Second'],
  )
})

test('A sync that fails once fails one write', async (t) => {
  const on = await onFaultyDisk(t)

  on.disk.fail('sync', 'log', 'EIO', 1)
  assertUnavailable(await on.client.post(path, { name: 'Unconfirmed' }))

  await make(on.client, 'organization', { name: 'Second' })
})

test('A response is replayed only after its write is on disk', async (t) => {
  const on = await onFaultyDisk(t)
  const post = () => on.client.post(path, { name: 'Once' }, { 'Idempotency-Key': 'once' })

  on.disk.fail('sync', 'log', 'EIO')
  assertUnavailable(await post())
  assertUnavailable(await post())
  on.disk.heal()

  await assertSurvivesPowerCut(on, await post())
})

test('A long request responds only after its write is on disk', async (t) => {
  const on = await onFaultyDisk(t, ['--rate-limits', 'off'])
  const names = Array.from({ length: changesOfLong }, (_, number) => `Nordwind ${number}`)
  for (const name of names) await on.client.post(path, { name }, { 'X-Request-Id': 'nightly' })

  const refuseAndUndo = async () => {
    on.disk.fail('sync', 'log', 'EIO')
    const refused = await on.client.post('/api-v1-undo', { request_id: 'nightly' })
    on.disk.heal()
    assertUnavailable(refused)
    const undone = await on.client.post('/api-v1-undo', { request_id: refused.headers.get('x-request-id') })
    if (undone.status === 404) return undefined // another write, such as that of usage, met the fault first, and this one never began
    return undone.body.data.reversed.length
  }
  const reversed = await until('the write of the long request is the first that fails', refuseAndUndo)
  await on.server.stop('SIGKILL')
  on.disk.cutPower()
  await on.restart()

  assert.equal(reversed, changesOfLong)
  assert.equal((await on.client.get(path)).body.pagination.total, changesOfLong + 1)
})

test('After a kill, a response is replayed only after its write is on disk', async (t) => {
  const on = await onFaultyDisk(t)
  const post = () => on.client.post(path, { name: 'Once' }, { 'Idempotency-Key': 'once' })
  on.disk.fail('sync', 'log', 'EIO')
  assertUnavailable(await post())
  await on.server.stop('SIGKILL')
  on.disk.heal()

  await on.restart()

  await assertSurvivesPowerCut(on, await post())
})

async function assertSurvivesPowerCut(on: OnFaultyDisk, replayed: ApiResponse): Promise<void> {
  await on.server.stop('SIGKILL')
  on.disk.cutPower()
  await on.restart()
  assert.equal(replayed.status, 201)
  assert.equal((await on.client.get(`${path}/${replayed.body.data.id}`)).status, 200)
}

test('If the log no longer holds what was committed, the server exits, and the next one has everything that was acknowledged', async (t) => {
  const on = await onFaultyDisk(t)
  const log = join(on.data, 'kontor.db-wal')
  const kept = readFileSync(log)
  on.disk.fail('sync', 'log', 'EIO')
  assertUnavailable(await on.client.post(path, { name: 'Unconfirmed' }))
  const lost = statSync(log).size - kept.length // other writes, such as that of usage, among it
  writeFileSync(log, Buffer.concat([kept, Buffer.alloc(lost)]))
  on.disk.heal()
  const ended = once(on.server.child, 'exit')

  await assert.rejects(on.client.post(path, { name: 'Refused' }), ConnectionError)
  const [code] = await ended
  await on.restart()

  assert.equal(code, 1)
  assert.deepEqual(await names(on.client), ['First'])
  await make(on.client, 'organization', { name: 'Second' })
})

test('A checkpoint that fails loses no write, and a later one succeeds', async (t) => {
  const on = await onFaultyDisk(t)
  const database = join(on.data, 'kontor.db')
  const before = statSync(database).size
  const fill = async () => {
    const large = { metadata: { text: 'x'.repeat(60_000) } }
    await Promise.all(Array.from({ length: 60 }, () => make(on.client, 'organization', large)))
  }
  const failed = new Promise<void>((resolve) => {
    on.server.child.stdout!.on('data', (chunk) => String(chunk).includes('the checkpoint failed') && resolve())
  })

  on.disk.fail('write', 'database', 'ENOSPC')
  await fill()
  await failed
  const during = statSync(database).size
  on.disk.heal()
  await fill()
  await until('a checkpoint has succeeded', () => statSync(database).size, { is: (bytes) => bytes > before })
  await on.server.stop('SIGKILL')
  on.disk.cutPower()
  await on.restart()

  assert.equal(during, before)
  assert.equal((await on.client.get(path)).body.pagination.total, 121)
})

test('A read that the disk fails returns 503, and succeeds after the disk has recovered', async (t) => {
  const on = await onFaultyDisk(t)
  await on.server.stop()
  await on.restart()
  // A write by another process empties the server's page cache.
  await prepareCompany(on.data, 'Other')

  on.disk.fail('read', 'database', 'EIO')
  const refused = await on.client.get('/api-v1-deals')
  on.disk.heal()

  assertUnavailable(refused)
  assert.deepEqual(await names(on.client), ['First'])
})

test('A server that is stopped while the disk fails keeps the log for the next one', async (t) => {
  const on = await onFaultyDisk(t)

  on.disk.fail('sync', 'log', 'EIO')
  assertUnavailable(await on.client.post(path, { name: 'Unconfirmed' }))
  const code = await on.server.stop('SIGTERM')
  on.disk.heal()
  on.disk.cutPower()
  await on.restart()

  assert.equal(code, 0)
  assert.ok((await names(on.client)).includes('First'))
})
