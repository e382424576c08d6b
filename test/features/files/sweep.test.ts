import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { contentsBeside } from '../../../src/content/open.ts'
import { sweepContent } from '../../../src/features/files/sweep.ts'
import { dayMs } from '../../../src/lib/clock.ts'
import { databasePath } from '../../../src/store/directory.ts'
import { administerHere } from '../../support/command.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { deliverMessage } from '../../support/message.ts'
import { start } from '../../support/start.ts'
import { download, storedIn, uploaded } from './files.ts'

const run = promisify(execFile)
const orphan = 'ab'.repeat(32)

/** Puts content where that of a workspace is. */
function leave(directory: string, workspace: number, sha256: string): void {
  const place = join(directory, 'files', String(workspace), sha256.slice(0, 2))
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, sha256), 'left')
}

test('kontor files sweep removes content to which no file refers, and leaves that of the trash, of claims and of later uploads', async (t) => {
  const server = await start(t)
  const { client, id } = await server.company('Acme')
  const { sha256 } = await uploaded(client, 'kept')
  const trashed = await uploaded(client, 'trashed')
  await client.delete(`/api-v1-files/${trashed.id}`)
  const workspace = server.store.access.value<number>(
    'SELECT id FROM workspace WHERE company_id = ? AND environment = ?',
    id,
    'live',
  )!
  const claimed = 'cd'.repeat(32)
  for (const name of [orphan, claimed]) leave(server.directory, workspace, name)
  await server.store.write(workspace, (tx) => {
    tx.run("INSERT INTO content_claim (workspace_id, sha256, id) VALUES (:workspace, ?, 'upload')", claimed)
  })
  const names = () => storedIn(server.directory).map((path) => path.slice(-64))
  const all = [sha256, trashed.sha256, orphan, claimed].sort()
  const sweep = async (...args: string[]) => {
    const { stdout } = await run(process.execPath, [
      'dist/kontor.cjs',
      'files',
      'sweep',
      '--data',
      server.directory,
      '--json',
      ...args,
    ])
    return JSON.parse(stdout)
  }

  assert.equal((await sweep()).removed, 0)
  assert.deepEqual(await sweep('--older-than', '0', '--dry-run'), { removed: 1, bytes: 4, dry_run: true })
  assert.deepEqual(names().sort(), all)
  assert.deepEqual(await sweep('--older-than', '0'), { removed: 1, bytes: 4, dry_run: false })
  assert.deepEqual(
    names().sort(),
    all.filter((name) => name !== orphan),
  )
  await server.stop()
  assert.equal((await sweep('--older-than', '0')).removed, 1) // no server: the claim is of an upload that ended
  assert.deepEqual(names().sort(), [sha256, trashed.sha256].sort())
})

/** A stopped server whose database a restore has kept, with a file that only this one has. */
async function keptByRestore(t: TestContext) {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const backup = join(temporaryDirectory(t), 'backup.db')
  await administerHere('backup', backup, '--data', server.directory)
  const { id } = await uploaded(client, 'later')
  await server.stop()
  const { kept } = await administerHere('restore', backup, '--data', server.directory)
  const sweep = () => administerHere('files', 'sweep', '--older-than', '0', '--data', server.directory)
  return { directory: server.directory, client, id, kept, sweep }
}

test('The sweep leaves content to which a database refers that a restore has kept, so that the restore can be undone', async (t) => {
  const { directory, client, id, kept, sweep } = await keptByRestore(t)

  const { removed } = await sweep()

  assert.equal(removed, 0)
  await administerHere('restore', kept, '--data', directory)
  const again = await start(t, { directory })
  const { bytes } = await download(again.url, client, `/api-v1-files/${id}/content`)
  assert.equal(bytes.toString(), 'later')
})

test('The sweep goes on beside a kept database that is damaged, which no restore takes', async (t) => {
  const { directory, kept, sweep } = await keptByRestore(t)
  const db = new Database(kept, { readonly: true })
  const pages = db
    .prepare("SELECT rootpage FROM sqlite_schema WHERE tbl_name = 'file' AND rootpage > 0")
    .pluck()
    .all() as number[]
  db.close()
  const bytes = readFileSync(kept)
  for (const page of pages) bytes.fill(0xff, (page - 1) * 4096, page * 4096)
  writeFileSync(kept, bytes)

  const { removed } = await sweep()

  assert.equal(removed, 1)
  assert.deepEqual(storedIn(directory), [])
})

test('The sweep leaves the originals of messages, and those that only a kept database has', async (t) => {
  const server = await start(t)
  const { id } = await server.company('Acme')
  const sql = "SELECT id FROM workspace WHERE company_id = ? AND environment = 'live'"
  const workspace = server.store.access.value<number>(sql, id)!
  const [own, later] = ['a'.repeat(64), 'b'.repeat(64)] as const
  for (const sha256 of [own, later]) leave(server.directory, workspace, sha256)
  const backup = join(temporaryDirectory(t), 'backup.db')
  await deliverMessage(server.store, id, { original: { sha256: own, bytes: 4 } })
  await administerHere('backup', backup, '--without-files', '--data', server.directory)
  await deliverMessage(server.store, id, { original: { sha256: later, bytes: 4 } })
  await server.stop()
  const sweep = () => administerHere('files', 'sweep', '--older-than', '0', '--data', server.directory)

  assert.equal((await sweep()).removed, 0)
  await administerHere('restore', backup, '--without-files', '--data', server.directory)
  assert.equal((await sweep()).removed, 0)
})

test('The sweep removes what uploads have left that broke off two hours ago, and nothing that may still arrive', async (t) => {
  const { directory, stop } = await start(t)
  await stop()
  const place = join(directory, 'files', 'unfinished')
  const [old, arriving] = [randomUUID(), randomUUID()]
  mkdirSync(place, { recursive: true })
  for (const name of [old, arriving]) writeFileSync(join(place, name), 'a part')
  const before = Date.now() / 1_000 - 7_201
  utimesSync(join(place, old), before, before)

  const { removed } = await administerHere('files', 'sweep', '--older-than', '0', '--data', directory)

  assert.equal(removed, 1)
  assert.deepEqual(readdirSync(place), [arriving])
})

test('A sweep leaves the content of a company that is created meanwhile, whatever the clock says', async (t) => {
  const directory = temporaryDirectory(t)
  const contents = contentsBeside(databasePath(directory))
  const server = await start(t, { directory, contents })
  const list = contents.list.bind(contents)
  contents.list = async function* () {
    await uploaded((await server.company('New')).client, 'new')
    yield* list()
  }
  const tomorrow = { path: databasePath(directory), beforeMs: Date.now() + dayMs }

  assert.deepEqual(await sweepContent(server.store, contents, tomorrow), { removed: 0, bytes: 0 })

  assert.equal(storedIn(directory).length, 1)
})
