import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { dayMs } from '../../src/lib/clock.ts'
import { readSnapshot } from '../changes/snapshot.ts'
import { readChanges } from '../support/changes.ts'
import { assertError, clientFor } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { firstClient } from '../support/prepare.ts'
import { administer, bundle, launch } from '../support/program.ts'
import { until } from '../support/wait.ts'

test('After a restore, a cursor from before belongs to another log, although the numbers are given again', async (t) => {
  const [data, file] = [join(temporaryDirectory(t), 'data'), join(temporaryDirectory(t), 'backup.db')]
  const serve = ['serve', '--data', data, '--port', '0']
  const { keyId: id, key } = await firstClient(data, '')
  const before = await launch(t, bundle, serve)
  const client = clientFor(before.first.url!, { id, key })
  await make(client, 'contact')
  await administer(bundle, 'backup', file, '--data', data)
  await make(client, 'contact')
  const { body: old } = await client.get('/api-v1-changes?after=now')
  await before.stop()

  await administer(bundle, 'restore', file, '--data', data)
  const after = await launch(t, bundle, serve)
  const again = clientFor(after.first.url!, { id, key })
  await make(again, 'contact')

  const { body: now } = await again.get('/api-v1-changes?after=now')
  assert.equal(now.latest_seq, old.latest_seq)
  assert.notEqual(now.log_id, old.log_id)
  const response = await again.get(`/api-v1-changes?after=${old.cursor}`)
  assertError(response, 410, 'NOT_FOUND', undefined, ['after'])
  assert.equal(response.body.error.details[0].code, 'INVALID_VALUE')
  assert.equal((await readChanges(again)).length, now.latest_seq, 'the log itself was restored')
})

test('The built program and a sandbox send snapshots', async (t) => {
  const data = join(temporaryDirectory(t), 'data')
  const { keyId: id, key } = await firstClient(data, '')
  const server = await launch(t, bundle, ['serve', '--data', data, '--port', '0'])
  const sandbox = await launch(t, bundle, ['sandbox'], { stderr: 'pipe' })
  const clients = [
    clientFor(server.first.url!, { id, key }),
    clientFor(sandbox.first.url!, { id: 'sandbox', key: sandbox.first.key! }),
  ]
  for (const client of clients) {
    const { id } = await make(client, 'deal')

    const { head, records } = await readSnapshot(client)

    const { body } = await client.get('/api-v1-changes?after=now')
    assert.deepEqual([head.seq, head.cursor, head.log_id], [body.latest_seq, body.cursor, body.log_id])
    assert.equal(records.find(({ resource }) => resource === 'deal')!.data.id, id)
    assert.equal(records.length, 6 + 3)
  }
})

test('A server with --changes-keep removes older changes, and one without keeps them', async (t) => {
  const data = join(temporaryDirectory(t), 'data')
  const serve = ['serve', '--data', data, '--port', '0']
  const { keyId: id, key } = await firstClient(data, '')
  const db = new Database(join(data, 'kontor.db'))
  const newest = 'SELECT workspace_id, max(seq) FROM change GROUP BY workspace_id'
  db.prepare(`UPDATE change SET at = at - ? WHERE (workspace_id, seq) NOT IN (${newest})`).run(8 * dayMs)
  db.close()
  const keeping = await launch(t, bundle, serve)
  const { body: kept } = await clientFor(keeping.first.url!, { id, key }).get('/api-v1-changes')
  await keeping.stop()
  assert.equal(kept.oldest_seq, 1)

  const pruning = await launch(t, bundle, [...serve, '--changes-keep', '7d'])
  const client = clientFor(pruning.first.url!, { id, key })
  const oldest = async () => (await client.get('/api-v1-changes')).body.oldest_seq
  await until('old changes are removed', oldest, { is: (seq) => seq !== 1 })

  assert.equal(await oldest(), kept.latest_seq)
  await make(client, 'contact')
  await pruning.stop()
  assert.equal((await administer(bundle, 'check', '--data', data)).sound, true)
})
