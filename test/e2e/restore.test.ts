import assert from 'node:assert/strict'
import fs, { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { download, storedIn, uploaded } from '../features/files/files.ts'
import { clientFor } from '../support/client.ts'
import { administerHere, runHere } from '../support/command.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { firstClient, prepareCompany } from '../support/prepare.ts'
import { bundle, launch } from '../support/program.ts'
import { start } from '../support/start.ts'

/** Two data directories with a company each: `data` is restored from `backup`, and `other` has what does not belong to it. */
async function prepareTwo(t: TestContext) {
  const parent = temporaryDirectory(t)
  const [data, other] = [join(parent, 'data'), join(parent, 'other')]
  await prepareCompany(other)
  await prepareCompany(data)
  return { data, other, backup: join(parent, 'backup.db'), database: join(data, 'kontor.db') }
}

test('A restore keeps the log of a database that is gone, and does not apply it to the backup', async (t) => {
  const data = join(temporaryDirectory(t), 'data')
  const [database, backup] = [join(data, 'kontor.db'), join(data, '../backup.db')]
  const server = await launch(t, bundle, ['serve', '--data', data, '--port', '0'])
  const client = await firstClient(data, server.first.url!)
  await make(client, 'organization', { name: 'Backed up' })
  await administerHere('backup', backup, '--data', data)
  await make(client, 'organization', { name: 'Later' })
  await server.stop('SIGKILL')
  const log = readFileSync(`${database}-wal`)
  rmSync(database)

  const { kept } = await administerHere('restore', backup, '--data', data)

  assert.match(kept, /kontor\.db\.before-restore-\d{8}T\d{6}Z-wal$/)
  assert.deepEqual(readFileSync(kept), log)
  const restored = await start(t, { directory: data })
  const { body } = await clientFor(restored.url, { id: client.keyId, key: client.key }).get('/api-v1-organizations')
  assert.deepEqual(
    body.data.map(({ name }: { name: string }) => name),
    ['Backed up'],
  )
})

test('A restore keeps the journal of a database that is gone, and does not apply it to the backup', async (t) => {
  const { data, other, backup, database } = await prepareTwo(t)
  await administerHere('backup', backup, '--data', data)
  leaveJournal(join(other, 'kontor.db'), `${database}-journal`)
  rmSync(database)

  const { kept } = await administerHere('restore', backup, '--data', data)

  assert.match(kept, /kontor\.db\.before-restore-\d{8}T\d{6}Z-journal$/)
  assert.ok(existsSync(kept))
  assert.ok(!existsSync(`${database}-journal`))
  await administerHere('check', '--data', data)
})

test('A restore that was killed leaves nothing that changes a later one', async (t) => {
  const { data, other, backup, database } = await prepareTwo(t)
  new Database(database).exec("INSERT INTO setting VALUES ('long', hex(zeroblob(100000)))").close()
  await administerHere('backup', backup, '--data', data)
  leaveJournal(join(other, 'kontor.db'), `${database}.restored-journal`)

  await administerHere('restore', backup, '--data', data)

  assert.deepEqual(
    readdirSync(data).filter((name) => name.includes('restored')),
    [],
  )
  const db = new Database(database)
  t.after(() => db.close())
  assert.equal(db.prepare("SELECT length(value) FROM setting WHERE name = 'long'").pluck().get(), 200_000)
})

test('A command does not write to the old database between the moment at which a restore keeps it and that at which it is replaced', async (t) => {
  const { data, backup, database } = await prepareTwo(t)
  await administerHere('backup', backup, '--data', data)
  const write = (path: string) => {
    const db = new Database(path, { timeout: 0 })
    try {
      db.pragma('journal_mode = WAL')
      db.exec("INSERT INTO setting VALUES ('between', '1')")
      return 'written'
    } catch (error) {
      return (error as { code: string }).code
    } finally {
      db.close()
    }
  }
  const results: string[] = []
  const { renameSync } = fs
  t.mock.method(fs, 'renameSync', (from: string, to: string) => {
    if (to === database) results.push(write(database))
    renameSync(from, to)
  })
  t.after(syncBuiltinESMExports)
  syncBuiltinESMExports()

  const { kept } = await administerHere('restore', backup, '--data', data)

  assert.deepEqual(results, ['SQLITE_BUSY'])
  for (const each of [kept, database]) {
    const db = new Database(each, { readonly: true })
    assert.equal(db.prepare("SELECT count(*) FROM setting WHERE name = 'between'").pluck().get(), 0)
    db.close()
  }
  await administerHere('check', '--data', data)
})

test('A restore refuses the copy that a killed one has left, instead of removing it', async (t) => {
  const data = join(temporaryDirectory(t), 'data')
  await prepareCompany(data)
  const [copy, left] = [join(data, '../copy.db'), join(data, 'kontor.db.restored')]
  await administerHere('backup', copy, '--data', data)
  renameSync(copy, left)

  const { code, stderr } = await runHere(['restore', left, '--data', data])

  assert.equal(code, 1)
  assert.match(stderr, /kontor\.db\.restored is what a restore that was killed has left: give it another name first/)
  assert.ok(existsSync(left))
})

/** Makes a journal at `path` that SQLite would roll back into the file beside it. */
function leaveJournal(database: string, path: string): void {
  const db = new Database(database)
  db.pragma('journal_mode = DELETE')
  db.pragma('cache_size = 1') // so that the journal is on disk before the transaction ends
  db.exec(`BEGIN; DELETE FROM setting; INSERT INTO setting WITH RECURSIVE number (n) AS (
    SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT 10000) SELECT n, 'x' FROM number`)
  copyFileSync(`${database}-journal`, path)
  db.close()
}

/** A server with a file that a backup has and that was erased since. */
async function erased(t: TestContext) {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const { id } = await uploaded(client, 'secret')
  const backup = join(temporaryDirectory(t), 'backup.db')
  await administerHere('backup', backup, '--data', server.directory)
  await client.delete(`/api-v1-files/${id}`)
  await client.delete(`/api-v1-trash/${id}`)
  return { server, client, id, backup }
}

test('A restore that is refused brings back no content that was erased', async (t) => {
  const { server, client, id, backup } = await erased(t)
  const refused = await runHere(['restore', backup, '--data', server.directory])

  assert.match(refused.stderr, /already running/)
  assert.deepEqual(storedIn(server.directory), [])

  await server.stop()
  await administerHere('restore', backup, '--data', server.directory)
  const restored = await start(t, { directory: server.directory })
  const { bytes } = await download(restored.url, client, `/api-v1-files/${id}/content`)
  assert.equal(bytes.toString(), 'secret')
})
