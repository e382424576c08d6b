import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { administerHere, runHere } from '../support/command.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { firstClient } from '../support/prepare.ts'
import { bundle, launch } from '../support/program.ts'

test('The command line sets and removes limits and features of a plan, and a running server applies them at once', async (t) => {
  const data = temporaryDirectory(t)
  const { first } = await launch(t, bundle, ['serve', '--data', data, '--port', '0'])
  const client = await firstClient(data, first.url!)
  const set = (...args: string[]) => administerHere('plan', 'set', 'enterprise', ...args, '--data', data)
  const create = () => client.post('/api-v1-contacts', { first_name: 'Grace' })

  const limited = await set(
    '--max-contacts',
    '0',
    '--requests-per-minute',
    '50',
    '--bulk-import',
    'off',
    '--webhooks',
    'off',
  )
  const refused = await create()
  const me = await client.get('/api-v1-me')
  const lifted = await set('--max-contacts', 'none', '--bulk-import', 'on', '--webhooks', 'on')
  const made = await create()

  assert.deepEqual([limited.max_contacts, limited.requests_per_minute, limited.bulk_import], [0, 50, false])
  assertError(refused, 403, 'PLAN_LIMIT_EXCEEDED')
  assert.deepEqual([me.body.data.limits.max_contacts, me.body.data.features], [0, []])
  assert.deepEqual([lifted.max_contacts, lifted.requests_per_minute, lifted.bulk_import], [null, 50, true])
  assert.equal(made.status, 201)
  const { stdout } = await runHere(['plan', 'list', '--data', data])
  assert.match(stdout, /NAME +REQUESTS PER MINUTE .*MAX CONTACTS/)
  assert.match(stdout, /enterprise +50 +20000 +unlimited/)
  for (const args of [
    ['--max-contacts', 'many'],
    ['--max-deals', '-1'],
    ['--bulk-import', 'yes'],
    ['--webhooks', 'yes'],
  ]) {
    assert.equal((await runHere(['plan', 'set', 'enterprise', ...args, '--data', data])).code, 2)
  }
})

test('plan set shows the limits under their names, a limit of 0 as 0, refuses to change nothing, and says how a limit ends', async (t) => {
  const data = temporaryDirectory(t)
  await administerHere('company', 'create', '--name', 'Acme', '--data', data)

  const set = await runHere(['plan', 'set', 'free', '--max-contacts', '0', '--webhooks', 'off', '--data', data])
  const nothing = await runHere(['plan', 'set', 'free', '--data', data])
  const unlimited = await runHere(['plan', 'set', 'free', '--max-contacts', 'unlimited', '--data', data])

  const [head, row] = set.stdout.split('\n').map((line) => line.trim().split(/ {2,}/))
  assert.deepEqual([row![head!.indexOf('MAX CONTACTS')], row![head!.indexOf('WEBHOOKS')]], ['0', 'off'])
  assert.equal(nothing.code, 2)
  assert.match(nothing.stderr, /^kontor: Nothing to change: give one of --requests-per-minute, /)
  assert.match(unlimited.stderr, /'unlimited' is invalid\. It must be an integer from 0 to 1000000000000, or none\./)
})

test('The command line changes the name and plan of a company, and a running server applies them at once', async (t) => {
  const data = temporaryDirectory(t)
  const { first } = await launch(t, bundle, ['serve', '--data', data, '--port', '0'])
  const client = await firstClient(data, first.url!)
  const { id } = (await client.get('/api-v1-me')).body.data.company
  const set = (...args: string[]) => administerHere('company', 'set', id, ...args, '--data', data)

  const renamed = await set('--name', 'Acme Ltd')
  const moved = await set('--plan', 'free')
  const { body, headers } = await client.get('/api-v1-me')
  const unknown = await runHere(['company', 'set', id, '--plan', 'gold', '--data', data])

  assert.deepEqual([renamed.id, renamed.name, renamed.plan], [id, 'Acme Ltd', 'enterprise'])
  assert.deepEqual([moved.name, moved.plan], ['Acme Ltd', 'free'])
  assert.deepEqual(
    [body.data.company.name, body.data.plan, body.data.limits.requests_per_minute],
    ['Acme Ltd', 'free', 30],
  )
  assert.equal(headers.get('x-ratelimit-limit'), '30')
  assert.equal(unknown.code, 1)
  assert.match(unknown.stderr, /Plan not found: gold; the plans are free, starter, professional, enterprise/)
})
