import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { download, storedIn, upload, uploaded } from '../features/files/files.ts'
import { assertError } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { firstClient } from '../support/prepare.ts'
import { bundle, launch, run } from '../support/program.ts'
import { startS3 } from '../support/s3-server.ts'
import { until } from '../support/wait.ts'
import { at, keyAt, leaderOf, leads, startNode } from './cluster.ts'
import { startFakeEtcd } from './fake-etcd.ts'

test('Servers that share a log store files in S3: every one reads them, also after the one that stored them is killed', async (t) => {
  const [etcd, s3] = [await startFakeEtcd(t), await startS3(t)]
  const first = await startNode(t, etcd.url, { env: s3.env })
  await until('the first server leads', () => leads(first))
  const second = await startNode(t, etcd.url, { env: s3.env })
  const client = await keyAt(first)
  const { id, organization_id } = await uploaded(client, 'hampers')
  const erased = await uploaded(client, 'wine')
  const path = `/api-v1-files/${id}/content`

  const there = at(second, client)
  await until('the second server has the record', async () => (await there.get(`/api-v1-files/${id}`)).status === 200)
  assert.equal((await download(second.url, there, path)).bytes.toString(), 'hampers')
  assertError(await upload(there, 'refused', { organization_id: id }), 503, 'SERVICE_UNAVAILABLE')
  await first.stop('SIGKILL')
  await until('the second server leads', () => leads(second))

  assert.equal((await download(second.url, there, path)).bytes.toString(), 'hampers')
  // A new leader may lose its lease for a moment, on a busy machine.
  await until('the second server stores a file', async () => {
    return (await upload(there, 'more hampers', { organization_id })).status === 201
  })
  for (const resource of ['files', 'trash']) {
    await until(`the file is gone from ${resource}`, () => there.delete(`/api-v1-${resource}/${erased.id}`), {
      is: ({ status }) => status < 500,
    })
  }
  assert.equal(s3.objects.size, 2)
  assert.deepEqual([storedIn(first.directory), storedIn(second.directory), s3.refused], [[], [], []])
})

test('Servers that share a log store no files without S3, and say why they cannot read those of a database from before', async (t) => {
  const etcd = await startFakeEtcd(t)
  const directory = temporaryDirectory(t)
  const alone = await launch(t, bundle, ['serve', '--data', directory, '--port', '0'])
  const client = await firstClient(directory, alone.first.url!)
  const { id } = await uploaded(client, 'hampers')
  await alone.stop()

  const server = await startNode(t, etcd.url, { directory })
  const here = at(server, client)

  assertError(await upload(here, 'bytes'), 403, 'FEATURE_NOT_ENABLED')
  const { status, body } = await here.get(`/api-v1-files/${id}/content`)
  assert.deepEqual([status, body.error.code], [503, 'SERVICE_UNAVAILABLE'])
  assert.match(body.error.message, /servers that share a log need S3, which the operator sets with --files/)
  assert.ok(server.lines.some((line) => line.includes('the files of this database cannot be read')))
})

for (const { when, stopBefore } of [
  { when: 'during which', stopBefore: false },
  { when: 'that began before its server, and during which', stopBefore: true },
]) {
  test(`A check ${when} the leader is killed leaves its last commits in the write-ahead log`, async (t) => {
    const [etcd, s3] = [await startFakeEtcd(t), await startS3(t)]
    let leader = await startNode(t, etcd.url, { env: s3.env })
    const { directory } = leader
    const client = await keyAt(leader)
    await uploaded(client, 'hampers')
    if (stopBefore) await leader.stop()
    const logBytes = () => statSync(join(directory, 'kontor.db-wal'), { throwIfNoEntry: false })?.size
    let before: number | undefined
    s3.fault = async ({ method }) => {
      if (method === 'GET' && before === undefined) {
        before = 0
        if (stopBefore) leader = await startNode(t, etcd.url, { directory, env: s3.env })
        await at(await leaderOf([leader]), client).post('/api-v1-organizations', { name: 'Südwind' })
        await leader.stop('SIGKILL')
        before = logBytes()
      }
      return undefined
    }

    const { code, stderr } = await run(bundle, ['check', '--files', '--data', directory], { env: s3.env })

    assert.equal(code, 0, stderr)
    assert.ok(before)
    assert.equal(logBytes(), before)
  })
}
