import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { schema } from '../../src/commands/open-store.ts'
import { restore } from '../../src/store/restore.ts'
import { type Client, clientFor } from '../support/client.ts'
import { administerHere, runHere } from '../support/command.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { firstClient, prepareCompany } from '../support/prepare.ts'
import { administer, bundle, launch, type Process } from '../support/program.ts'
import { start } from '../support/start.ts'
import { until } from '../support/wait.ts'

const path = '/api-v1-organizations'

async function serve(t: TestContext, data: string, ...args: string[]): Promise<Process> {
  return launch(t, bundle, ['serve', '--data', data, '--port', '0', '--rate-limits', 'off', ...args])
}

/** The same key on another server. */
function at({ first }: Process, { keyId, key }: Client): Client {
  return clientFor(first.url!, { id: keyId, key })
}

/** A data directory whose server has stopped, with one organization of this name. */
async function stopped(t: TestContext, name: string): Promise<{ data: string; client: Client }> {
  const data = join(temporaryDirectory(t), 'data')
  const server = await start(t, { directory: data })
  const client = await server.client()
  await make(client, 'organization', { name })
  await server.stop()
  return { data, client }
}

async function namesIn(t: TestContext, data: string, client: Client): Promise<string[]> {
  const server = await start(t, { directory: data })
  const { body } = await clientFor(server.url, { id: client.keyId, key: client.key }).get(path)
  await server.stop()
  return body.data.map(({ name }: { name: string }) => name)
}

test('A backup made under load is valid and contains every record acknowledged before it began', async (t) => {
  const directory = temporaryDirectory(t)
  const [data, file, other] = ['data', 'copy.db', 'other'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ]
  const server = await serve(t, data)
  const client = await firstClient(data, server.first.url!)
  const acknowledged: string[] = []
  let writing = true
  const write = async () => {
    while (writing)
      acknowledged.push((await make(client, 'organization', { metadata: { text: 'x'.repeat(30_000) } })).id)
  }
  const writers = Array.from({ length: 8 }, write)
  await until('100 writes are acknowledged', () => acknowledged.length, { is: (count) => count >= 100 })

  const before = [...acknowledged]
  const { bytes } = await administer(bundle, 'backup', file, '--data', data)
  const during = acknowledged.length - before.length
  const live = [await administer(bundle, 'check', '--data', data), await administer(bundle, 'check', '--data', data)]
  writing = false
  await Promise.all(writers)
  const checked = await administerHere('check', file)
  const restored = await administer(bundle, 'restore', file, '--data', other)
  const again = at(await serve(t, other), client)

  assert.ok(during > 0, 'the server continued to write')
  assert.ok(bytes > 100 * 60_000)
  assert.deepEqual([checked.sound, restored.kept], [true, null])
  assert.deepEqual(
    live.map(({ sound }) => sound),
    [true, true],
    'while the server writes',
  )
  for (const id of before) assert.equal((await again.get(`${path}/${id}`)).status, 200)
  assert.deepEqual(readdirSync(directory).sort(), ['copy.db', 'data', 'other'])
})

test('A restore keeps the old database, including the content of its log', async (t) => {
  const { data, client } = await stopped(t, 'Backed up')
  const file = join(data, '../copy.db')
  await administerHere('backup', file, '--data', data)
  const server = await serve(t, data)
  await make(at(server, client), 'organization', { name: 'Later' })
  await server.stop('SIGKILL')

  const { kept } = await administerHere('restore', file, '--data', data)

  assert.match(kept, /kontor\.db\.before-restore-\d{8}T\d{6}Z$/)
  assert.deepEqual(await namesIn(t, data, client), ['Backed up'])
  await administerHere('restore', kept, '--data', data)
  assert.deepEqual(await namesIn(t, data, client), ['Later', 'Backed up'])
})

test('Two restores in the same second keep both old databases', async (t) => {
  const { data } = await stopped(t, 'First')
  const [file, database] = [join(data, '../copy.db'), join(data, 'kontor.db')]
  await administerHere('backup', file, '--data', data)
  await prepareCompany(data, 'Later')

  const first = await restore(data, file, { ...schema, stamp: 'now' })
  const second = await restore(data, file, { ...schema, stamp: 'now' })

  assert.deepEqual([first.kept, second.kept], [`${database}.before-restore-now`, `${database}.before-restore-now-2`])
  const db = new Database(first.kept!)
  t.after(() => db.close())
  assert.deepEqual(db.prepare('SELECT name FROM company ORDER BY id').pluck().all(), ['Acme', 'Later'])
})

test('A restore over a damaged database keeps the damaged file unchanged', async (t) => {
  const { data, client } = await stopped(t, 'Backed up')
  const file = join(data, '../copy.db')
  await administerHere('backup', file, '--data', data)
  writeFileSync(join(data, 'kontor.db'), 'no longer a database '.repeat(500))

  const { kept } = await administerHere('restore', file, '--data', data)

  assert.match(readFileSync(kept, 'utf8'), /^no longer a database/)
  assert.deepEqual(await namesIn(t, data, client), ['Backed up'])
})

test('Restore refuses to run while a server runs, and refuses a file that is not a valid database of Kontor', async (t) => {
  const { data, client } = await stopped(t, 'Untouched')
  const [unrelated, damaged, copy] = ['unrelated.db', 'damaged.db', 'copy.db'].map((name) =>
    join(data, '..', name),
  ) as [string, string, string]
  new Database(unrelated).exec('CREATE TABLE theirs (x)').close()
  await administerHere('backup', copy, '--data', data)
  writeFileSync(damaged, damage(readFileSync(copy)))
  const refusals: [string, RegExp][] = [
    [unrelated, /unrelated\.db is the database of another program/],
    [damaged, /damaged/],
    [join(data, 'nowhere.db'), /There is no database/],
    [join(data, 'kontor.db'), /is the database itself/],
  ]

  for (const [file, message] of refusals) {
    const { code, stderr } = await runHere(['restore', file, '--data', data])
    assert.equal(code, 1)
    assert.match(stderr, message)
  }
  const server = await serve(t, data)
  const running = await runHere(['restore', copy, '--data', data])
  assert.equal(running.code, 1)
  assert.match(running.stderr, /already running/)
  await server.stop()
  assert.deepEqual(await namesIn(t, data, client), ['Untouched'])
  assert.deepEqual(readdirSync(data).sort(), ['kontor.db', 'kontor.lock'])
})

test('A backup does not overwrite an existing file, nor a link to a disk that is not there, nor take the log of another', async (t) => {
  const { data } = await stopped(t, 'Acme')
  const [file, link, gone] = ['mine', 'link', 'gone'].map((name) => join(data, '..', name)) as [string, string, string]
  writeFileSync(file, 'mine')
  symlinkSync('/no-such-disk/kontor.db', link)
  for (const suffix of ['-wal', '-journal']) {
    writeFileSync(gone + suffix, 'its latest writes')
    const { code, stderr } = await runHere(['backup', gone, '--data', data])
    assert.equal(code, 1)
    assert.match(stderr, /gone-(wal|journal) belongs to another database/)
    rmSync(gone + suffix)
  }

  const [toFile, toLink] = [
    await runHere(['backup', file, '--data', data]),
    await runHere(['backup', link, '--data', data]),
  ]

  assert.deepEqual([toFile.code, readFileSync(file, 'utf8')], [1, 'mine'])
  assert.deepEqual([toLink.code, readlinkSync(link)], [1, '/no-such-disk/kontor.db'])
  for (const { stderr } of [toFile, toLink]) assert.match(stderr, /already exists/)
})

test('Check accepts a valid database, and reports a damaged one and a wrong total', async (t) => {
  const { data } = await stopped(t, 'Acme')
  const file = join(data, 'kontor.db')
  const sound = await runHere(['check', '--data', data])
  const db = new Database(file)
  db.exec("UPDATE record_count SET records = 5 WHERE resource = 'organization'")
  db.exec("UPDATE value_count SET records = 7 WHERE resource = 'organization'")
  db.exec("INSERT INTO stored_bytes SELECT id, 'file', 'bytes', 3 FROM workspace")
  db.close()
  const wrongTotal = await runHere(['check', '--data', data])
  writeFileSync(file, damage(readFileSync(file)))
  const damaged = await runHere(['check', '--data', data])

  assert.deepEqual([sound.code, sound.stdout], [0, `${file} is sound\n`])
  assert.equal(wrongTotal.code, 1)
  assert.match(wrongTotal.stderr, /has 1 rows of organization, but its stored total is 5/)
  assert.match(wrongTotal.stderr, /has 1 rows of organization with status_key 0, but their stored total is 7/)
  assert.match(wrongTotal.stderr, /has 0 bytes of file, but its stored sum is 3/)
  assert.equal(damaged.code, 1)
  assert.match(damaged.stderr, /is damaged: restore a backup/)
})

test('Scheduled backups are made at the configured interval; the newest are kept, and unrelated files are not touched', async (t) => {
  const directory = temporaryDirectory(t)
  const [data, backups] = [join(directory, 'data'), join(directory, 'backups')]
  mkdirSync(backups)
  writeFileSync(join(backups, 'notes.txt'), 'mine')
  writeFileSync(join(backups, 'kontor-20990101T000000Z.db'), '') // made while the clock was wrong
  const first = await serve(t, data, '--backup-dir', backups, '--backup-every', '1s', '--backup-keep', '2')
  const seen = new Set<string>()
  await until('four backups were made', () => {
    for (const name of readdirSync(backups)) if (/^kontor-202.*\.db$/.test(name)) seen.add(name)
    return seen.size >= 4
  })
  assert.equal(await first.stop(), 0)

  const kept = readdirSync(backups).sort()
  assert.deepEqual([kept.length, kept[2]], [3, 'notes.txt'])
  for (const name of [...seen].sort().slice(0, 2)) assert.ok(!kept.includes(name))
  for (const name of kept.slice(0, 2)) assert.equal((await runHere(['check', join(backups, name)])).code, 0)
})

test('kontor ready exits with 0 while the server runs, and with 1 when it does not', async (t) => {
  const { data } = await stopped(t, 'Acme')
  const server = await serve(t, data)
  const { port } = new URL(server.first.url!)

  const ready = await runHere(['ready', '--host', '0.0.0.0', '--port', port])
  await server.stop()
  const gone = await runHere(['ready', '--port', port])

  assert.deepEqual([ready.code, ready.stderr], [0, ''])
  assert.equal(gone.code, 1)
  assert.match(gone.stderr, /^kontor: No server on 127\.0\.0\.1:\d+/)
})

/** Overwrites a page in the middle with garbage. */
function damage(database: Buffer): Buffer {
  const page = 4096 * Math.floor(database.length / 4096 / 2)
  return Buffer.concat([database.subarray(0, page), Buffer.alloc(4096, 'garbage'), database.subarray(page + 4096)])
}
