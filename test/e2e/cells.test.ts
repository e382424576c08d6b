import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSnapshot } from '../changes/snapshot.ts'
import { startCellProxy, withoutHaproxy } from '../cluster/haproxy.ts'
import { Receiver, verify } from '../features/webhooks/receiver.ts'
import { readChanges } from '../support/changes.ts'
import { assertError, type Client } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { bundle, run } from '../support/program.ts'
import { randomOf } from '../support/random.ts'
import { password, signIn, visit } from '../support/visitor.ts'
import { readState, writeAnything } from '../support/world.ts'
import { at, startCell } from './cells.ts'

const path = '/api-v1-organizations'
const email = 'ada@acme.example'

/** Everything that a key sees, without what requests and deliveries change. */
async function everythingOf(client: Client) {
  const { head, records } = await readSnapshot(client)
  const settled = records.map(({ resource, data }) => [
    resource,
    { ...data, last_used_at: 0, last_used_ip: 0, request_count: 0, last_success_at: 0, failing_since: 0 },
  ])
  const trash = (await client.get('/api-v1-trash?limit=100')).body.data
  return { log: head.log_id, settled, trash, changes: await readChanges(client) }
}

test('New keys begin with the name of the cell, also those that a command creates', async (t) => {
  const cell = await startCell(t, 'aa')
  const { id, client } = await cell.company('Acme')

  const made = await client.post('/api-v1-keys', { name: 'Another', scopes: ['read:all'] })

  assert.match(client.key, /^svc_live_aa[A-Za-z0-9]{30}$/)
  assert.match((await cell.key(id, 'test')).key, /^svc_test_aa[A-Za-z0-9]{30}$/)
  assert.match(made.body.data.key, /^svc_live_aa[A-Za-z0-9]{30}$/)
})

test('A company moves to another cell with all it has, and HAProxy routes each key to its cell', {
  skip: withoutHaproxy,
}, async (t) => {
  const [aa, bb] = [await startCell(t, 'aa'), await startCell(t, 'bb')]
  const proxy = await startCellProxy(t, aa.url, bb.url)
  const receiver = await Receiver.open(t)
  const [other, resident] = [await aa.company('Other'), await bb.company('Resident')]
  const { id, client } = await aa.company('Acme')
  const live = at(proxy.url, client)
  const tests = at(proxy.url, await aa.key(id, 'test'))
  const user = ['user', 'create', '--company', id, '--email', email, '--name', 'Ada', '--role', 'owner']
  await run(bundle, [...user, '--password-stdin', '--data', aa.directory], { input: password })
  const visitor = visit(aa.url)
  assert.equal((await signIn(visitor, email)).status, 201)
  const random = randomOf(3)
  for (let n = 0; n < 40; n++) await writeAnything(live, random, await readState(live))
  await make(live, 'field', { resource: 'contact', key: 'tier', type: 'text' })
  await make(live, 'contact', { first_name: 'Ada', metadata: { tier: 'gold' } })
  await make(tests, 'contact', { first_name: 'Test' })
  const erased = await make(live, 'organization', { name: 'Erased' })
  await live.delete(`${path}/${erased.id}`)
  const once = { 'Idempotency-Key': 'once' }
  const first = await live.post(path, { name: 'Once' }, once)
  const { cursor } = (await live.get('/api-v1-changes?after=now')).body
  const created = await live.post('/api-v1-webhooks', { url: receiver.url, events: ['organization.created'] })
  const before = [await everythingOf(live), await everythingOf(tests)]
  const file = join(temporaryDirectory(t), 'acme.kontor')

  await aa.run('company', 'export', id, file)

  assert.equal(statSync(file).mode & 0o777, 0o600)
  for (const refused of [
    await live.get(path),
    await live.post(path, { name: 'Late' }),
    await signIn(visit(aa.url), email),
  ]) {
    assertError(refused, 503, 'SERVICE_UNAVAILABLE')
    assert.ok(refused.headers.get('retry-after'))
  }
  assert.equal((await at(proxy.url, other.client).get(path)).status, 200)

  const { company, cell, key_prefixes } = await bb.run('company', 'import', file)
  await aa.run('company', 'move', id, '--to', 'bb')

  assert.deepEqual([company.id, cell, key_prefixes.length], [id, 'bb', 2])
  for (const refused of [
    await live.get(path),
    await live.post(path, { name: 'Late' }),
    await signIn(visit(aa.url), email),
  ]) {
    assertError(refused, 421, 'COMPANY_MOVED', 'This company has moved to bb')
    assert.equal(refused.headers.get('kontor-moved-to'), 'bb')
  }
  assert.equal((await visitor.get(path)).status, 401)

  for (const prefix of key_prefixes) await proxy.route(`${prefix} ${cell}`)

  assert.deepEqual([await everythingOf(live), await everythingOf(tests)], before)
  assert.equal((await readChanges(live, cursor)).length, 1)
  const repeated = await live.post(path, { name: 'Once' }, once)
  assert.deepEqual([repeated.body, repeated.headers.get('idempotent-replayed')], [first.body, 'true'])
  const found = await live.get('/api-v1-contacts?metadata.tier=gold')
  assert.ok(found.body.pagination?.total > 0, JSON.stringify(found.body))
  await make(live, 'organization', { name: 'After the move' })
  const [delivery] = await receiver.until(1)
  verify(created.body.data.secret, delivery!)
  assert.equal(delivery!.data.data.name, 'After the move')
  const there = visit(bb.url)
  assert.equal((await signIn(there, email)).status, 201)
  assert.equal((await there.get(path)).status, 200)
  there.cookie = visitor.cookie
  assert.equal((await there.get(path)).status, 200, 'a session goes with its user')
  const fresh = await live.post('/api-v1-keys', { name: 'New', scopes: ['read:all'] })
  assert.match(fresh.body.data.key, /^svc_live_bb/)
  assert.equal((await at(proxy.url, { ...live, key: fresh.body.data.key }).get(path)).status, 200)
  for (const each of [other, resident]) assert.equal((await at(proxy.url, each.client).get(path)).body.data.length, 0)

  await aa.run('company', 'delete', id)

  assertError(await at(aa.url, live).get(path), 401, 'INVALID_API_KEY')
  assert.deepEqual(
    (await aa.run('company', 'list')).companies.map(({ name }: { name: string }) => name),
    ['Other'],
  )
  for (const each of [aa, bb]) assert.equal((await each.run('check')).sound, true)
})
