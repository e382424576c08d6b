import assert from 'node:assert/strict'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readSnapshot } from '../changes/snapshot.ts'
import { exportOf, rowsOf } from '../export/exports.ts'
import { readChanges } from '../support/changes.ts'
import { type Client, clientFor } from '../support/client.ts'
import { administerHere, runHere } from '../support/command.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { prepareCompany, prepareKey } from '../support/prepare.ts'
import { administer, bundle, launch, type Process } from '../support/program.ts'
import { randomOf } from '../support/random.ts'
import { readState, writeAnything } from '../support/world.ts'

interface Tenant {
  id: string
  live: Client
  test: Client
}

async function serve(t: TestContext, data: string): Promise<Process> {
  return launch(t, bundle, ['serve', '--data', data, '--port', '0', '--rate-limits', 'off'])
}

async function tenant(data: string, url: string, name: string): Promise<Tenant> {
  const id = await prepareCompany(data, name)
  return { id, live: await prepareKey(data, id, url), test: await prepareKey(data, id, url, 'test') }
}

function at({ first }: Process, { keyId, key }: Client): Client {
  return clientFor(first.url!, { id: keyId, key })
}

/** Every record but webhooks, which an export makes inactive. */
async function recordsOf(client: Client): Promise<JsonRecord[]> {
  const { records } = await readSnapshot(client)
  return records.filter(({ resource }) => resource !== 'webhook' && resource !== 'api_key')
}

test('A company is exported as a database that serves it with the same keys, and has nothing of another company', async (t) => {
  const directory = temporaryDirectory(t)
  const [data, out] = [join(directory, 'data'), join(directory, 'out')]
  const server = await serve(t, data)
  const [acme, other] = [
    await tenant(data, server.first.url!, 'Acme'),
    await tenant(data, server.first.url!, 'Zyzzyva Ltd'),
  ]
  await make(acme.test, 'contact', { first_name: 'Test' })
  await make(other.live, 'contact', { first_name: 'Zyzzyva' })
  await make(other.live, 'webhook', { url: 'https://93.184.216.34/zyzzyva', events: ['*'] })
  const random = randomOf(7)
  for (let n = 0; n < 60; n++) await writeAnything(acme.live, random, await readState(acme.live))
  await make(acme.live, 'field', { resource: 'contact', key: 'tier', type: 'text' })
  await make(acme.live, 'contact', { first_name: 'Ada', metadata: { tier: 'gold' } })
  const hook = await make(acme.live, 'webhook', { url: 'https://93.184.216.34/hook', events: ['*'] })

  const { files } = await administer(
    bundle,
    ...['export', '--company', acme.id, '--format', 'sqlite', '--out', out, '--data', data],
  )

  assert.deepEqual(
    files.map(({ file }: { file: string }) => file),
    [join(out, 'kontor.db')],
  )
  assert.deepEqual(readdirSync(out), ['kontor.db'])
  const bytes = readFileSync(join(out, 'kontor.db')).toString('latin1').toLowerCase()
  assert.ok(bytes.includes('acme') && !bytes.includes('zyzzyva') && !bytes.includes(other.id))
  assert.equal((await administer(bundle, 'check', '--data', out)).sound, true)
  const copy = await serve(t, out)
  for (const client of [acme.live, acme.test]) {
    assert.deepEqual(await recordsOf(at(copy, client)), await recordsOf(client))
  }
  const log = await readChanges(acme.live)
  assert.deepEqual(
    (await readChanges(at(copy, acme.live))).slice(0, log.length).map(({ id, data }) => [id.split('-')[1], data]),
    log.map(({ id, data }) => [id.split('-')[1], data]),
  )
  assert.deepEqual(
    (await at(copy, acme.live).get('/api-v1-contacts?metadata.tier=gold')).body.pagination.total,
    (await acme.live.get('/api-v1-contacts?metadata.tier=gold')).body.pagination.total,
  )
  assert.equal((await at(copy, other.live).get('/api-v1-me')).status, 401)
  const copied = (await at(copy, acme.live).get(`/api-v1-webhooks/${hook.id}`)).body.data
  assert.deepEqual([copied.is_active, copied.disabled_reason], [false, 'It was copied from another database'])
  const active = { is_active: true }
  assert.equal((await at(copy, acme.live).patch(`/api-v1-webhooks/${hook.id}`, active)).status, 200)
  assert.equal((await at(copy, acme.live).post('/api-v1-contacts', { first_name: 'New' })).status, 201)
})

test('All lists of a company are exported to a directory, and one to a file, as the API exports them', async (t) => {
  const directory = temporaryDirectory(t)
  const [data, out] = [join(directory, 'data'), join(directory, 'out')]
  const server = await serve(t, data)
  const { id, live, test: sandbox } = await tenant(data, server.first.url!, 'Acme')
  await make(live, 'contact', { first_name: '=Ada' })
  await make(sandbox, 'contact', { first_name: 'Test' })
  const options = ['--company', id, '--data', data]

  const { files } = await administerHere('export', '--out', out, ...options)
  await administerHere('export', 'contacts', '--raw', '--out', join(directory, 'raw.csv'), ...options)
  await administerHere('export', 'contacts', '--bom', '--out', join(directory, 'marked.csv'), ...options)
  await administerHere('export', 'contacts', 'deals', '--format', 'ndjson', '--out', out, ...options)
  await administerHere('export', 'contacts', '--environment', 'test', '--out', join(directory, 'test.csv'), ...options)

  assert.ok(files.length >= 9)
  assert.equal(readFileSync(join(out, 'contacts.csv'), 'utf8'), await exportOf(live, '/api-v1-contacts'))
  assert.equal(readFileSync(join(directory, 'raw.csv'), 'utf8'), await exportOf(live, '/api-v1-contacts?raw=1'))
  assert.equal(readFileSync(join(directory, 'marked.csv'), 'utf8'), `\uFEFF${await exportOf(live, '/api-v1-contacts')}`)
  assert.equal(
    readFileSync(join(out, 'contacts.ndjson'), 'utf8'),
    await exportOf(live, '/api-v1-contacts', 'application/x-ndjson'),
  )
  assert.deepEqual(
    rowsOf(readFileSync(join(directory, 'test.csv'), 'utf8')).map((row) => row.first_name),
    ['Test'],
  )
  assert.equal(readFileSync(join(out, 'deals.ndjson'), 'utf8'), '')
})

test('An export that an earlier one left unfinished begins anew, and does not write where a link leads', async (t) => {
  const directory = temporaryDirectory(t)
  const data = join(directory, 'data')
  const id = await prepareCompany(data)
  const [out, other] = [join(directory, 'deals.csv'), join(directory, 'other')]
  writeFileSync(other, 'mine')
  symlinkSync(other, `${out}.unfinished`)

  const { code } = await runHere(['export', 'deals', '--data', data, '--company', id, '--out', out])

  assert.deepEqual([code, readFileSync(other, 'utf8')], [0, 'mine'])
  assert.ok(lstatSync(out).isFile())
})

test('An export overwrites no file, and says what is wrong', async (t) => {
  const directory = temporaryDirectory(t)
  const data = join(directory, 'data')
  const id = await prepareCompany(data)
  mkdirSync(join(directory, 'out'))
  writeFileSync(join(directory, 'out', 'deals.csv'), 'mine')
  writeFileSync(join(directory, 'out', 'kontor.db'), 'mine')
  const attempt = async (...args: string[]) => {
    const { code, stderr } = await runHere(['export', ...args, '--data', data])
    return [code, stderr.trimEnd().replaceAll(directory, '')]
  }
  const company = ['--company', id]

  assert.deepEqual(await attempt(...company, '--out', join(directory, 'out')), [
    1,
    'kontor: /out/deals.csv already exists: choose another name.',
  ])
  assert.deepEqual(readdirSync(join(directory, 'out')).sort(), ['deals.csv', 'kontor.db'], 'not even the other lists')
  assert.deepEqual(await attempt(...company, '--format', 'sqlite', '--out', join(directory, 'out')), [
    1,
    'kontor: /out/kontor.db already exists: choose another name.',
  ])
  assert.match(
    String((await attempt('leads', ...company, '--out', 'x'))[1]),
    /There is no list "leads" as csv; the lists are /,
  )
  assert.deepEqual(await attempt('--company', 'x', '--out', join(directory, 'new')), [
    1,
    'kontor: Company not found: x',
  ])
  assert.deepEqual(await attempt('deals', ...company, '--format', 'sqlite', '--out', 'x'), [
    2,
    'kontor: --format sqlite writes the whole company: leave out the lists and --environment',
  ])
  assert.ok(!existsSync(join(directory, 'new')))
  assert.equal(readFileSync(join(directory, 'out', 'deals.csv'), 'utf8'), 'mine')
})
