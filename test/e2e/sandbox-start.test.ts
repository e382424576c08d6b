import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { control, sandboxKey } from '../sandbox/sandbox.ts'
import { type Client, clientFor } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { exchange } from '../support/exchange.ts'
import { endless } from '../support/fault-times.ts'
import { bundle, launch, run } from '../support/program.ts'

const organizations = '/api-v1-organizations'

test('Two sandboxes return the same bytes for the same requests: ids, timestamps, cursors, keys and webhook ids', async (t) => {
  const talk = async () => {
    const { first } = await launch(t, bundle, ['sandbox', '--key', sandboxKey, '--seed', 'demo'])
    const said: string[] = [first.company_id!]
    const say = async (method: string, path: string, body?: unknown, key = sandboxKey) => {
      const { status, headers, text } = await exchange(first.url + path, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      said.push(`${status} ${headers.get('x-request-id')} ${headers.get('etag')} ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    }
    await say('PUT', `${control}/clock`, { now: '2027-01-04T09:00:00Z', mode: 'frozen' })
    said.pop() // its request id is of the moment before
    await say('PUT', `${control}/snapshots/frozen`)
    const { data: made } = await say('POST', organizations, { name: 'Acme' })
    await say('PATCH', `${organizations}/${made.id}`, { city: 'Oslo' })
    await say('POST', '/api-v1-webhooks', { url: 'kontor:inbox', events: ['*'] })
    await say('POST', '/api-v1-contacts', {
      first_name: 'Ada',
      last_name: 'Weber',
      emails: [{ email: 'ada@acme.example' }],
    })
    await say('POST', '/api-v1-keys', { name: 'Reader', scopes: ['read:all'] })
    await say('POST', '/api-v1-deals', { title: '' })
    const { pagination } = await say('GET', `${organizations}?limit=3`)
    await say('GET', `${organizations}?limit=3&cursor=${pagination.next_cursor}`)
    await say('GET', '/api-v1-changes?limit=1000')
    await say('GET', `${control}/inbox?type=contact.created&wait=10`)
    said[said.length - 1] = said.at(-1)!.replace(/"webhook-(?:timestamp|signature)":"[^"]*"/g, '')
    const { data: fork } = await say('POST', `${control}/forks`, { seed: 'worker-1' })
    await say('POST', organizations, { name: 'Fork' }, fork.key)
    await say('POST', '/api-v1-keys', { name: 'Of the fork', scopes: ['read:all'] }, fork.key)
    await say('POST', `${control}/clock/advance`, { by: 'P1D' })
    await say('POST', `${control}/reset`, { to: 'frozen' })
    await say('POST', organizations, { name: 'Afterwards' })
    await say('GET', '/api-v1-keys')
    await say('GET', `${control}/export`)
    return said
  }

  const [one, other] = [await talk(), await talk()]

  assert.deepEqual(one, other)
})

test('An export starts a sandbox with the same records', async (t) => {
  const file = join(temporaryDirectory(t), 'seed.json')
  const source = await launch(t, bundle, ['sandbox', '--seed', 'demo', '--key', sandboxKey])
  const from = clientFor(source.first.url!, { id: '', key: sandboxKey })
  await from.put(`${control}/clock`, { mode: 'frozen' })
  await from.post('/api-v1-webhooks', { url: 'http://127.0.0.1:9/', events: ['*'] }) // nobody listens
  await from.post('/api-v1-webhooks', { url: 'kontor:inbox', events: ['*'] })
  await from.post('/api-v1-deals', { title: 'Hampers' })
  await from.post(`${control}/clock/advance`, { by: 'PT1S' })
  const [deal] = (await from.get('/api-v1-deals?limit=1')).body.data
  await from.delete(`/api-v1-deals/${deal.id}`)
  const exported = await from.get(`${control}/export`)
  const [failing, delivering] = exported.body.webhooks
  assert.ok(failing.failing_since && delivering.last_success_at)
  writeFileSync(file, JSON.stringify(exported.body))

  const copy = await launch(t, bundle, ['sandbox', '--seed', file, '--key', sandboxKey])

  const to = clientFor(copy.first.url!, { id: '', key: sandboxKey })
  assert.deepEqual((await to.get(`${control}/export`)).body, exported.body)
  for (const path of [
    '/api-v1-contacts?include=organization,emails&limit=100',
    '/api-v1-deals?include=stage,assigned_user',
  ]) {
    assert.deepEqual((await to.get(path)).body.data, (await from.get(path)).body.data)
  }
})

test('A seed file of create bodies may set ids; a reset returns to it', async (t) => {
  const file = join(temporaryDirectory(t), 'seed.json')
  const id = '0190a2b0-0000-7000-8000-000000000001'
  const contact = {
    first_name: 'Ada',
    last_name: 'Weber',
    organization_id: id,
    emails: [{ email: 'ada@acme.example' }],
  }
  writeFileSync(file, JSON.stringify({ organizations: [{ id, name: 'Acme' }], contacts: [contact] }))
  const { first } = await launch(t, bundle, ['sandbox', '--seed', file, '--now', '2026-03-02T08:00:00Z'])
  const client = clientFor(first.url!, { id: '', key: first.key! })
  const read = () => client.get('/api-v1-contacts?include=organization,emails')
  const { body } = await read()
  assert.equal(body.data[0].organization.id, id)
  assert.match(body.data[0].created_at, /^2026-03-02T08:00:0/)
  await client.delete(`/api-v1-contacts/${body.data[0].id}`)

  await client.post(`${control}/reset`, {})

  assert.deepEqual((await read()).body, body)
})

test('A seed file with faults names all of them and starts nothing', async (t) => {
  const file = join(temporaryDirectory(t), 'seed.json')
  const start = async (seed: string) => {
    writeFileSync(file, seed)
    const { code, stdout, stderr } = await run(bundle, ['sandbox', '--seed', file])
    assert.deepEqual([code, stdout], [1, ''])
    return stderr
  }

  const faults = await start(
    JSON.stringify({
      organizations: [{ name: 'Acme' }, { name: '' }, { id: 'x', name: '', created_at: 'then', updated_at: 5 }],
      contacts: [{ first_name: 'Ada', last_name: 'Weber', organization_id: '0190a2b0-0000-7000-8000-000000000009' }],
      users: [{ full_name: 'Ada', email: 'no', role: 'king' }],
      deals: [
        { id: '0190a2b0-0000-7000-8000-00000000000a', title: 'One' },
        { id: '0190a2b0-0000-7000-8000-00000000000a', title: 'Two' },
      ],
      webhooks: [
        { url: 'http://hooks.example.com/', events: ['*'] },
        { url: 'https://ada:secret@example.com/', events: ['*'] },
      ],
      clock: { now: 'tomorrow' },
      companies: [],
      messages: [{ subject: 'Hampers' }],
      tasks: {},
    }),
  )
  for (const fault of [
    'organizations[1].name: Name is required',
    'organizations[2].name: Name is required',
    'organizations[2].id: id must be a UUID',
    'organizations[2].created_at: created_at must be a timestamp',
    'organizations[2].updated_at: updated_at must be a timestamp',
    'contacts[0].organization_id:',
    'users[0].role:',
    'deals[1]: an id is used twice',
    'tasks: must be a list of objects',
    'messages: only a delivery creates messages',
    'companies: Unknown member "companies"; allowed: clock, users, fields, pipelines, stages, organizations',
    'clock.now: now must be a timestamp',
    'webhooks[0].url: Url must use https',
    'webhooks[1].url: Url must not have a user name or a password',
  ]) {
    assert.ok(faults.includes(fault), `${fault} in ${faults}`)
  }
  assert.match(await start('{'), /is not valid JSON/)
  assert.match(await start('[]'), /must be a JSON object/)
  const missing = await run(bundle, ['sandbox', '--seed', `${file}.missing`])
  assert.deepEqual([missing.code, /Cannot read the seed file/.test(missing.stderr)], [1, true])
})

test('An export of an empty sandbox starts one, and users without an owner do not prevent it', async (t) => {
  const file = join(temporaryDirectory(t), 'seed.json')
  const empty = await launch(t, bundle, ['sandbox', '--key', sandboxKey])
  const from = clientFor(empty.first.url!, { id: '', key: sandboxKey })
  const { body } = await from.get(`${control}/export`)
  const users = [
    { full_name: 'Ada', email: 'ada@acme.example' },
    { full_name: 'Former', email: 'former@acme.example', role: 'owner', is_active: false },
  ]
  writeFileSync(file, JSON.stringify({ ...body, users }))

  const { first } = await launch(t, bundle, ['sandbox', '--seed', file])

  const found = await clientFor(first.url!, { id: '', key: first.key! }).get('/api-v1-users?sort=full_name:asc')
  assert.deepEqual(
    found.body.data.map(({ full_name, is_active }: { full_name: string; is_active: boolean }) => [
      full_name,
      is_active,
    ]),
    [
      ['Ada', true],
      ['Former', false],
    ],
  )
})

test('The key comes from a flag or the environment, and invalid flags are refused', async (t) => {
  const flag = await launch(t, bundle, ['sandbox', '--key', sandboxKey])
  const environment = await launch(t, bundle, ['sandbox'], { env: { KONTOR_SANDBOX_KEY: sandboxKey } })
  for (const { first } of [flag, environment]) {
    const client: Client = clientFor(first.url!, { id: '', key: sandboxKey })
    assert.equal(first.key, sandboxKey)
    assert.equal((await client.post('/api-v1-keys', { name: 'K', scopes: ['admin:all'] })).status, 201)
  }

  const wrong = await run(bundle, ['sandbox'], { env: { KONTOR_SANDBOX_KEY: 'svc_live_x' } })
  assert.deepEqual(
    [wrong.code, wrong.stderr],
    [2, 'kontor: KONTOR_SANDBOX_KEY must be svc_test_ and 32 letters and digits\n'],
  )
  for (const args of [
    ['--key', 'svc_live_x'],
    ['--now', 'yesterday'],
    ['--now', '9999-12-31T23:59:59Z'],
    ['--parent', 'me'],
    ['--parent', '999999999'],
  ]) {
    const { code, stdout, stderr } = await run(bundle, ['sandbox', ...args])
    assert.deepEqual([code, stdout], [2, ''], stderr)
  }
})

test('A sandbox ends with its parent, also if that is killed', async (t) => {
  const parent = spawn(process.execPath, ['-e', endless], { stdio: 'ignore' })
  const { child } = await launch(t, bundle, ['sandbox', '--parent', String(parent.pid)])
  const ended = once(child, 'exit')

  parent.kill('SIGKILL')

  assert.deepEqual(await ended, [0, null])
})
