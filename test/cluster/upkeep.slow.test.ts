import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ApiResponse, Client } from '../support/client.ts'
import { administer, bundle } from '../support/program.ts'
import { rounds } from '../support/random.ts'
import { until } from '../support/wait.ts'
import { at, caughtUp, keyAt, startNode, startThree } from './cluster.ts'
import { startFakeEtcd } from './fake-etcd.ts'

const path = '/api-v1-organizations'
const MiB = 2 ** 20

/** Writes records that cannot be compressed, of at least this many bytes together. */
async function fill(client: Client, bytes: number): Promise<ApiResponse> {
  const each = 30_000
  let left = Math.ceil(bytes / each)
  let last: ApiResponse | undefined
  const writer = async () => {
    while (left-- > 0) {
      const text = randomBytes((each * 3) / 4).toString('base64')
      last = await client.post(path, { name: `Filler ${left}`, metadata: { text } })
      assert.equal(last.status, 201)
    }
  }
  await Promise.all(Array.from({ length: 16 }, writer))
  return last!
}

test('The log is trimmed at 64 MiB, the write-ahead logs are emptied, and a server that was away for longer copies the database', {
  skip: rounds > 1 ? false : 'it takes a minute: KONTOR_TEST_ROUNDS=2',
}, async (t) => {
  const etcd = await startFakeEtcd(t)
  const [leader, follower, away] = await startThree(t, etcd.url)
  const client = await keyAt(leader)
  const exporting = at(follower, client).request('GET', path, { headers: { Accept: 'application/x-ndjson' } })
  await away.stop('SIGKILL')

  const last = await fill(client, 76 * MiB)
  await exporting
  const { bytes } = await administer(bundle, 'log', '--data', leader.directory)
  const kept = [...etcd.keys].filter(([key]) => key.includes('/parts/')).map(([, { value }]) => value.length)
  const back = await startNode(t, etcd.url, { directory: away.directory })

  assert.ok(bytes <= 66 * MiB, `the log has ${bytes} bytes`)
  assert.ok(kept.reduce((sum, length) => sum + length, 0) <= 66 * MiB)
  assert.ok(back.lines.some((line) => line.includes('copied the database')))
  for (const node of [follower, back]) {
    const there = await caughtUp(node, client, last)
    const [own, of] = [await there.get(`${path}?limit=1`), await client.get(`${path}?limit=1`)]
    assert.deepEqual(own.body.pagination.total, of.body.pagination.total)
  }
  for (const { directory } of [leader, follower]) {
    assert.ok(statSync(join(directory, 'kontor.db-wal')).size < 110 * MiB, 'the write-ahead log does not grow forever')
    assert.equal((await administer(bundle, 'check', '--data', directory)).sound, true)
  }
})

test('An import goes through the log: every follower has each of its records, and its progress', async (t) => {
  const etcd = await startFakeEtcd(t)
  const [leader, follower] = await startThree(t, etcd.url)
  const client = await keyAt(leader)
  const records = Array.from({ length: 1_000 }, (_, n) => ({ first_name: `Contact ${n}`, metadata: { n } }))

  const submitted = await client.post('/api-v1-bulk/contacts', { records })
  const job = submitted.headers.get('location')!
  await until('the import has ended', async () => (await client.get(job)).body.data.status, {
    is: (status) => status === 'completed',
  })
  const there = await caughtUp(follower, client, await client.get(job))

  assert.equal((await there.get(job)).body.data.successful_records, 1_000)
  assert.equal((await there.get('/api-v1-contacts?limit=1')).body.pagination.total, 1_000)
  const changes = await there.get('/api-v1-changes?after=now')
  assert.equal(changes.status, 200)
})
