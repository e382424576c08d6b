import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { start } from '../../support/start.ts'
import { storedIn, uploaded } from './files.ts'

const run = promisify(execFile)
const orphan = 'ab'.repeat(32)

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
  for (const name of [orphan, claimed]) {
    mkdirSync(join(server.directory, 'files', String(workspace), name.slice(0, 2)), { recursive: true })
    writeFileSync(join(server.directory, 'files', String(workspace), name.slice(0, 2), name), 'left')
  }
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
