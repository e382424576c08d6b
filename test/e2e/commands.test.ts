import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadCommands } from '../guard/commands.ts'
import { assertError } from '../support/client.ts'
import { administerHere, runHere } from '../support/command.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { firstClient, prepareCompany } from '../support/prepare.ts'
import { administer, bundle, launch, run } from '../support/program.ts'
import { start } from '../support/start.ts'

const helps = [
  'serve',
  'sandbox',
  'company',
  'company create',
  'company set',
  'user',
  'user deactivate',
  'key',
  'key create',
  'setup-link',
  'plan set',
  'backup',
  'restore',
  'check',
  'ready',
  'licenses',
  'import contacts',
]

/** The others run in this process. */
const byProgram = ['company create']

test('The help of the program lists each command', async () => {
  const { stdout } = await run(bundle, ['--help'])
  const listed = [...stdout.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name]) => name!)

  assert.deepEqual(listed.sort(), [...(await loadCommands()).keys(), 'help'].sort())
})

for (const words of helps) {
  test(`kontor ${words} --help prints the usage and exits with 0`, async () => {
    const args = [...words.split(' ').filter(Boolean), '--help']
    const { code, stdout, stderr } = byProgram.includes(words) ? await run(bundle, args) : await runHere(args)

    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, new RegExp(`^Usage: kontor ?${words}`))
  })
}

const program = (args: string[]) => run(bundle, args)

for (const [args, runWith] of [
  [[], program],
  [['nonsense'], program],
  [['serve', '--nonsense'], runHere],
  [['serve', '--port', '70000'], program],
  [['company', 'create'], runHere],
  [['company', 'create', '--name', '--json'], program],
  [['company', 'set', 'x'], runHere],
  [['key', 'create', '--company', 'x', '--name', 'y', '--scopes', 'z', '--environment', 'prod'], runHere],
] as const) {
  test(`Wrong usage exits with 2 and a message: kontor ${args.join(' ')}`, async () => {
    const { code, stdout, stderr } = await runWith([...args])

    assert.deepEqual([code, stdout], [2, ''])
    assert.notEqual(stderr, '')
    assert.doesNotMatch(stderr, /^\s+at /m)
  })
}

test('The command line creates, lists and changes companies, users and keys', async (t) => {
  const data = temporaryDirectory(t)
  const company = await administer(bundle, 'company', 'create', '--name', 'Acme', '--plan', 'starter', '--data', data)
  const inCompany = ['--company', company.id, '--data', data]
  const user = await administerHere(
    'user',
    'create',
    '--email',
    'ada@acme.example',
    '--name',
    'Ada',
    '--role',
    'owner',
    ...inCompany,
  )
  const shared = await administer(
    bundle,
    'key',
    'create',
    '--name',
    'CI',
    '--scopes',
    'read:all,write:contacts',
    ...inCompany,
  )
  const personal = await administerHere(
    'key',
    'create',
    '--name',
    'Ada',
    '--scopes',
    'read:all',
    '--environment',
    'test',
    '--user',
    user.id,
    '--expires-at',
    '2030-01-01',
    ...inCompany,
  )

  const disabled = await administerHere('key', 'disable', shared.id, '--data', data)
  const deactivated = await administerHere('user', 'deactivate', user.id, '--data', data)
  const { keys } = await administerHere('key', 'list', ...inCompany)
  const { companies } = await administerHere('company', 'list', '--data', data)

  assert.equal(company.plan, 'starter')
  assert.match(shared.key, /^svc_live_[A-Za-z0-9]{32}$/)
  assert.match(personal.key, /^svc_test_[A-Za-z0-9]{32}$/)
  assert.deepEqual(
    [shared.type, personal.type, personal.expires_at],
    ['shared', 'personal', '2030-01-01T00:00:00.000Z'],
  )
  assert.deepEqual([disabled.is_active, deactivated.is_active], [false, false])
  assert.deepEqual(companies, [company])
  assert.equal(keys[0].prefix, shared.key.slice(0, 24))
  assert.deepEqual(
    keys.map(({ revoked_at }: { revoked_at: string | null }) => revoked_at !== null),
    [false, true],
  )
  assert.ok(keys.every((key: object) => !('key' in key) && !('hash' in key)))
})

test('A name that a client has chosen cannot control the terminal of who lists it', async (t) => {
  const server = await start(t)
  const { client, id } = await server.company('Acme')
  const name = 'a\u001b[2J\nb\u009b2J\u007f'
  await client.post('/api-v1-keys', { name, scopes: ['read:all'] })
  const list = ['key', 'list', '--company', id, '--data', server.directory]

  const { stdout } = await runHere(list)
  const { keys } = await administerHere(...list)
  const { stderr } = await runHere(['key', 'revoke', name, '--data', server.directory])

  assert.ok(stdout.includes('a\\u001b[2J\\nb\\u009b2J\\u007f'), stdout)
  assert.ok(keys.some((key: { name: string }) => key.name === name))
  for (const output of [stdout, stderr]) assert.doesNotMatch(output, /[^\P{Cc}\n]/u)
})

test('A running server applies a change that the command line makes to a key from the next request on', async (t) => {
  const data = temporaryDirectory(t)
  const { first } = await launch(t, bundle, ['serve', '--data', data, '--port', '0'])
  const client = await firstClient(data, first.url!)
  const change = (verb: string) => administerHere('key', verb, client.keyId, '--data', data)

  assert.equal((await client.get('/api-v1-contacts')).status, 200)
  await change('disable')
  assertError(await client.get('/api-v1-contacts'), 401, 'API_KEY_INACTIVE', 'This API key is inactive')
  await change('enable')
  assert.equal((await client.get('/api-v1-contacts')).status, 200)
  await change('revoke')
  assertError(await client.get('/api-v1-contacts'), 401, 'API_KEY_REVOKED', 'This API key has been revoked')
})

test('A failed command prints one line on standard error and exits with 1', async (t) => {
  const directory = temporaryDirectory(t)
  const notADatabase = join(directory, 'garbled')
  const running = join(directory, 'running')
  const blocked = createServer().listen(0, '127.0.0.1')
  t.after(() => blocked.close())
  await launch(t, bundle, ['serve', '--data', running, '--port', '0'])
  mkdirSync(notADatabase)
  writeFileSync(
    join(notADatabase, 'kontor.db'),
    'this is not a database, but it is long enough to be read as one'.repeat(20),
  )
  writeFileSync(join(directory, 'file'), '')
  const { port } = blocked.address() as { port: number }

  const failures: [string[], RegExp][] = [
    [['serve', '--data', running, '--port', '0'], /already running on .*running: stop it first/],
    [['serve', '--data', join(directory, 'file/below'), '--port', '0'], /Cannot create the data directory/],
    [['serve', '--data', notADatabase, '--port', '0'], /is not a database/],
    [['serve', '--data', join(directory, 'new'), '--port', String(port)], /the port is in use/],
    [['key', 'list', '--company', 'nobody', '--data', running], /Company not found: nobody/],
    [['company', 'set', 'nobody', '--plan', 'free', '--data', running], /Company not found: nobody/],
  ]
  for (const [args, message] of failures) {
    const { code, stdout, stderr } = await run(bundle, args)
    assert.deepEqual([code, stdout], [1, ''], stderr)
    assert.match(stderr, message)
    assert.equal(stderr.split('\n').length, 2, stderr)
  }
})

test('serve --welcome prints variables and a curl command that work as printed', async (t) => {
  const data = temporaryDirectory(t)
  const serve = [...bundle, 'serve', '--welcome', '--data', data, '--port', '0'].map((word) => `'${word}'`).join(' ')
  const log = join(data, 'log')
  const first = await launch(t, ['/bin/sh', '-c', `exec ${serve} 2>'${log}'`], [])
  const { url } = first.first

  const { stdout } = await run(
    [
      '/bin/sh',
      '-c',
      `until grep -q Acme '${log}'; do :; done; eval "$(grep export '${log}')"; eval "$(grep -A1 curl '${log}')"`,
    ],
    [],
  )

  assert.equal(JSON.parse(stdout).data.name, 'Acme')
  assert.match(url!, /^http:/)
  await first.stop()
})

test('The command line validates a new key as the API does', async (t) => {
  const data = temporaryDirectory(t)
  const company = await prepareCompany(data)
  const create = (...args: string[]) =>
    runHere(['key', 'create', '--company', company, '--data', data, '--name', 'CI', ...args])

  const rejected: [string[], RegExp][] = [
    [['--scopes', 'read:everything'], /Scopes must be a list of at least one of: read:all, /],
    [['--scopes', 'read:all', '--expires-at', 'soon'], /Expires at must be an ISO 8601 timestamp or date/],
    [['--scopes', 'read:all', '--expires-at', '2020-01-01'], /Expires at must be in the future/],
    [['--scopes', 'read:all', '--user', company], /User not found/],
    [['--scopes', 'read:all', '--description', 'x'.repeat(100_001)], /at most 100000 characters/],
  ]

  for (const [args, message] of rejected) {
    const { code, stderr } = await create(...args)
    assert.equal(code, 1)
    assert.match(stderr, message)
  }
})
