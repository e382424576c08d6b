import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { backUp, backUpContent } from '../../../src/content/back-up-content.ts'
import { contentsBeside } from '../../../src/content/open.ts'
import { Backups } from '../../../src/features/backups/backups.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { launch } from '../../support/program.ts'
import { start } from '../../support/start.ts'
import { until } from '../../support/wait.ts'
import { download, storedIn, uploaded } from './files.ts'

const run = promisify(execFile)
const kontor = (...args: string[]) => run(process.execPath, ['dist/kontor.cjs', ...args])

test('A backup has the content of files beside it, kontor check --files finds what is missing or damaged, and a restore brings it back', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const { id } = await uploaded(client, 'first')
  const second = await uploaded(client, 'second')
  const backups = temporaryDirectory(t)
  const file = join(backups, 'one.db')
  const data = ['--data', server.directory]

  const { stdout } = await kontor('backup', file, ...data, '--json')
  assert.equal(JSON.parse(stdout).files, 2)
  assert.deepEqual(storedIn(backups), storedIn(server.directory))
  await kontor('check', file, '--files')
  await server.stop()

  const of = (sha256: string) =>
    join(server.directory, 'files', storedIn(server.directory).find((path) => path.endsWith(sha256))!)
  writeFileSync(of(second.sha256), 'secont')
  const damaged = await kontor('check', '--files', ...data).catch((error) => error)
  assert.match(
    damaged.stderr,
    /kontor\.db is sound, but content of its files is not:\nthe content [0-9a-f]{64} of workspace \d+ is damaged\n$/,
  )
  rmSync(of(second.sha256))
  const failed = await kontor('backup', join(backups, 'two.db'), '--data', server.directory).catch((error) => error)
  assert.equal(failed.code, undefined) // what is in the shared directory is not copied again
  const elsewhere = join(temporaryDirectory(t), 'three.db')
  const missing = await kontor('backup', elsewhere, ...data).catch((error) => error)
  assert.match(missing.stderr, /is missing.*--without-files/)
  await kontor('backup', elsewhere, ...data, '--without-files')

  const other = temporaryDirectory(t)
  await kontor('restore', file, '--data', other)
  const restored = await start(t, { directory: other })
  const path = `/api-v1-files/${id}/content`
  assert.equal((await download(restored.url, client, path)).bytes.toString(), 'first')
  const copy = temporaryDirectory(t)
  cpSync(file, join(copy, 'one.db'))
  const refused = await kontor('restore', join(copy, 'one.db'), '--data', join(copy, 'data')).catch((error) => error)
  assert.match(
    refused.stderr,
    /is missing: copy the folder that was beside the file to .*\/files, and --without-files leaves it out/,
  )
})

test('A copy that would share its content with the server is refused, and one in a directory of its own is complete after an erasure', async (t) => {
  const server = await start(t)
  const { id: company, client } = await server.company('Acme')
  const { id } = await uploaded(client, 'first')
  const { directory } = server
  const link = join(temporaryDirectory(t), 'link')
  symlinkSync(directory, link)
  const data = ['--data', directory]
  const before = readdirSync(directory)
  for (const refused of [
    ['backup', join(directory, 'one.db')],
    ['backup', join(link, 'one.db')],
    ['company', 'export', company, join(directory, 'one.kontor')],
    ['serve', '--port', '0', '--backup-dir', link],
  ]) {
    const { code, stderr } = await kontor(...refused, ...data).catch((error) => error)
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^kontor: \S+ is the data directory, and a copy needs another one: its files\/ would be those of the server\.\n$/,
    )
  }
  assert.deepEqual(readdirSync(directory), before)

  const own = join(directory, 'backups')
  mkdirSync(own)
  await kontor('backup', join(own, 'one.db'), ...data)
  await client.delete(`/api-v1-files/${id}`)
  assert.equal((await client.delete(`/api-v1-trash/${id}`)).status, 200)
  await kontor('restore', join(own, 'one.db'), '--data', temporaryDirectory(t))
})

test('A backup is made although content was erased meanwhile that another company has, too', async (t) => {
  const server = await start(t)
  const [one, other] = [await server.client(), await server.client()]
  const { id } = await uploaded(one, 'same')
  await uploaded(other, 'same')
  const file = join(temporaryDirectory(t), 'backup.db')
  const db = new Database(server.path)
  db.exec(`VACUUM INTO '${file}'`)
  db.close()

  await one.delete(`/api-v1-files/${id}`)
  await one.delete(`/api-v1-trash/${id}`)
  const { copied } = await backUpContent(server.path, file, { from: contentsBeside(server.path) })

  assert.equal(copied, 1)
})

test('A backup removes what one that was killed has left of content, and nothing that another one is writing', async (t) => {
  const server = await start(t)
  const backups = temporaryDirectory(t)
  const [left, arriving] = [randomUUID(), randomUUID()]
  const pathOf = (name: string) => join(backups, 'files/unfinished', name)
  mkdirSync(pathOf('.'), { recursive: true })
  for (const name of [left, arriving]) writeFileSync(pathOf(name), 'a part')
  utimesSync(pathOf(left), 0, 0)

  await backUp(server.path, join(backups, 'one.db'), { from: contentsBeside(server.path) })

  assert.deepEqual(readdirSync(pathOf('.')), [arriving])
})

test('A scheduled backup fails while content is missing, and with --without-files it is made without it', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const kept = await uploaded(client, 'kept')
  const { sha256 } = await uploaded(client, 'lost')
  await server.stop()
  rmSync(join(server.directory, 'files', storedIn(server.directory).find((path) => path.endsWith(sha256))!))
  const backups = temporaryDirectory(t)
  const source = { path: server.path, contents: contentsBeside(server.path) }
  const failing = new Backups(source, { directory: backups, everyMs: 1, keep: 1 }).makeIfDue()
  await assert.rejects(failing, new RegExp(`${sha256}.* is missing`))
  assert.deepEqual(
    readdirSync(backups).filter((name) => name.endsWith('.db')),
    [],
  )

  const options = ['serve', '--data', server.directory, '--port', '0', '--backup-dir', backups, '--without-files']
  const { stop } = await launch(t, [process.execPath, 'dist/kontor.cjs'], options)
  await until('the backup is made', () => readdirSync(backups).some((name) => name.endsWith('.db')))
  await until('its content is there', () => storedIn(backups).some((path) => path.endsWith(kept.sha256)))
  await stop()
})
