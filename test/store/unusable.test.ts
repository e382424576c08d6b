import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { temporaryDirectory } from '../support/directory.ts'
import { withoutCompiler } from '../support/needs.ts'
import { firstClient } from '../support/prepare.ts'
import { bundle, type Command, executable, run } from '../support/program.ts'
import { faultyDisk } from './faulty-disk.ts'

const without = '-dac_override,-dac_read_search'
/** The program, without root's right to ignore file permissions. */
const restrained: Command =
  process.getuid!() === 0 ? ['setpriv', `--bounding-set=${without}`, `--inh-caps=${without}`, ...bundle] : bundle

const writable = 'the user that runs Kontor must be able to write to the directory and the files in it.\n'

/** Creates a data directory, with a database or empty. */
async function directory(t: TestContext, { fresh }: { fresh: boolean }): Promise<string> {
  const data = join(temporaryDirectory(t), 'data')
  mkdirSync(data)
  if (!fresh) await firstClient(data, '')
  return data
}

async function assertRefused(command: Command, data: string, message: string, env = {}): Promise<void> {
  const { code, stdout, stderr } = await run(command, ['serve', '--data', data, '--port', '0'], { env })
  assert.deepEqual([code, stdout, stderr], [1, '', `kontor: ${message}`])
}

test('A start in a directory that cannot be written to exits with advice', async (t) => {
  const [fresh, used] = [await directory(t, { fresh: true }), await directory(t, { fresh: false })]
  for (const data of [fresh, used]) chmodSync(data, 0o500)
  chmodSync(join(used, 'kontor.lock'), 0o400)
  try {
    const refused = (file: string, why: string) =>
      assertRefused(restrained, dirname(file), `Cannot use ${file} (${why}): ${writable}`)
    await refused(join(fresh, 'kontor.lock'), 'unable to open database file')
    await refused(join(used, 'kontor.db'), 'attempt to write a readonly database')
  } finally {
    for (const data of [fresh, used]) chmodSync(data, 0o700) // so that the directory can be removed
  }
})

test('A read-only database or log is refused at the start, not by each write', async (t) => {
  const data = await directory(t, { fresh: false })
  const [database, log] = [join(data, 'kontor.db'), join(data, 'kontor.db-wal')]

  chmodSync(database, 0o400)
  await assertRefused(restrained, data, `Cannot write to ${database}: ${writable}`)
  chmodSync(database, 0o600)
  writeFileSync(log, '', { mode: 0o400 })
  await assertRefused(restrained, data, `Cannot write to ${log}: ${writable}`)
})

test('A command of a user who may not read the data directory says who runs commands', async (t) => {
  const data = await directory(t, { fresh: false })
  chmodSync(data, 0)
  try {
    const { code, stderr } = await run(restrained, ['company', 'list', '--data', data])
    assert.equal(code, 1)
    assert.match(stderr, /^kontor: Cannot use \S+: run this as the user of the server, or as root\.\n$/)
  } finally {
    chmodSync(data, 0o700)
  }
})

const failing =
  "the disk or its file system is failing: see the system's log; if the disk is lost, restore a backup on another one.\n"
const faults = [
  {
    name: 'A disk that cannot be read',
    call: 'read',
    error: 'EIO',
    fresh: false,
    expected: `(disk I/O error): ${failing}`,
  },
  {
    name: 'A disk that cannot be written to',
    call: 'write',
    error: 'EIO',
    fresh: true,
    expected: `(disk I/O error): ${failing}`,
  },
  {
    name: 'A full disk',
    call: 'write',
    error: 'ENOSPC',
    fresh: true,
    expected: '(database or disk is full): free some disk space, then start again.\n',
  },
] as const

for (const { name, call, error, fresh, expected } of faults) {
  test(`${name} is reported at the start, with advice`, { skip: withoutCompiler }, async (t) => {
    const data = await directory(t, { fresh })
    const disk = faultyDisk(temporaryDirectory(t), data)
    disk.fail(call, 'database', error)

    await assertRefused(bundle, data, `Cannot use ${data}/kontor.db ${expected}`, disk.env)
  })
}

test('A database file of 0 bytes is refused, because it has lost its content', async (t) => {
  const data = await directory(t, { fresh: true })
  const database = join(data, 'kontor.db')
  writeFileSync(database, '')
  const expected = `kontor: ${database} is empty (0 bytes): restore a backup with "kontor restore"`

  for (const args of [
    ['serve', '--port', '0'],
    ['company', 'create', '--name', 'Acme'],
    ['plan', 'list'],
  ]) {
    const { code, stderr } = await run(bundle, [...args, '--data', data])
    assert.deepEqual([code, stderr], [1, `${expected}, or create a new database with --init.\n`])
  }
  writeFileSync(join(data, 'kontor.db-wal'), '')
  const { stderr } = await run(bundle, ['serve', '--port', '0', '--init', '--data', data])
  assert.equal(stderr, `${expected}.\n`)
})

test('With --init, an empty database file in an otherwise empty directory becomes a new database', async (t) => {
  const data = await directory(t, { fresh: true })
  const begun = ['kontor.db', 'kontor.db-journal', 'kontor.lock', 'kontor.lock-journal'] // by a start that was killed
  for (const name of begun) writeFileSync(join(data, name), '')

  const { code } = await run(bundle, ['company', 'create', '--name', 'Acme', '--init', '--data', data])

  assert.equal(code, 0)
})

test('A first start that fails leaves no empty database behind', { skip: withoutCompiler }, async (t) => {
  const data = await directory(t, { fresh: true })
  const disk = faultyDisk(temporaryDirectory(t), data)
  disk.fail('write', 'database', 'ENOSPC')

  await run(bundle, ['serve', '--data', data, '--port', '0'], { env: disk.env })

  assert.ok(!existsSync(join(data, 'kontor.db')))
})

test('A database that has lost its schema version is refused with one sentence', async (t) => {
  const data = await directory(t, { fresh: false })
  const path = join(data, 'kontor.db')
  const db = new Database(path)
  db.pragma('user_version = 0')
  db.close()
  const expected = `kontor: ${path} has no valid schema version (user_version is 0): restore a backup.\n`

  for (const args of [['serve', '--port', '0'], ['plan', 'list'], ['check']]) {
    const { code, stderr } = await run(bundle, [...args, '--data', data])
    assert.deepEqual([code, stderr], [1, expected])
  }
})

/** Runs a command with TMPDIR on a file system that is mounted noexec. */
const withoutExecution: Command = [
  'unshare',
  '--map-root-user',
  '--mount',
  'sh',
  '-c',
  'mount -t tmpfs -o noexec tmpfs "$TMPDIR" && exec "$@"',
  'sh',
]
const namespaces = spawnSync('unshare', ['--map-root-user', '--mount', 'true']).status === 0

for (const [name, command] of Object.entries({ 'dist/kontor.cjs': bundle, 'dist/kontor': executable })) {
  test(`${name} names TMPDIR if the system does not allow SQLite to be loaded from it`, {
    skip: namespaces ? false : 'this system makes no namespaces',
  }, async (t) => {
    const [data, temporary] = [await directory(t, { fresh: true }), temporaryDirectory(t)]

    const { code, stderr } = await run([...withoutExecution, ...command], ['serve', '--port', '0', '--data', data], {
      env: { TMPDIR: temporary },
    })

    assert.equal(code, 1)
    assert.match(stderr, /^kontor: Cannot load SQLite from .*: set TMPDIR to a directory .* not mounted noexec\.\n$/)
    assert.ok(stderr.includes(temporary))
  })
}
