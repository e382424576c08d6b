import assert from 'node:assert/strict'
import { join } from 'node:path'
import { keyAt, startNode } from '../cluster/cluster.ts'
import { startFakeEtcd } from '../cluster/fake-etcd.ts'
import { assertError } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { ended, submit } from '../support/imports.ts'
import { make } from '../support/make.ts'
import { samplesIn } from '../support/metrics.ts'
import { testUnless, withoutCompiler } from '../support/needs.ts'
import { until } from '../support/wait.ts'
import { faultyDisk } from './faulty-disk.ts'
import { fillLog } from './log-file.ts'
import { type OnFaultyDisk, onFaultyDisk } from './on-faulty-disk.ts'

const test = testUnless(withoutCompiler)

const path = '/api-v1-organizations'
const withMetrics = ['--metrics', '127.0.0.1:0']

const failures = [
  { call: 'write', error: 'ENOSPC', cause: 'full', reason: 'the disk is full' },
  { call: 'write', error: 'EROFS', cause: 'read_only', reason: 'the file system is read-only' },
  { call: 'write', error: 'EIO', cause: 'io_error', reason: 'the disk reported an I/O error' },
  { call: 'sync', error: 'EDQUOT', cause: 'quota', reason: 'the disk quota is used up' },
] as const

for (const { call, error, cause, reason } of failures) {
  test(`While ${error} fails each ${call}, responses, the log, a metric and /readyz/leader say so; all of them recover without a request`, async (t) => {
    const on = await onFaultyDisk(t, withMetrics)
    const lines: string[] = []
    on.server.child.stdout!.on('data', (chunk) => lines.push(String(chunk)))

    on.disk.fail(call, 'log', error)
    const refused = await on.client.post(path, { name: 'Refused' })
    const [read, ready] = [await on.client.get(path), await statusOf(on, '/readyz')]
    const failing = await failingCauses(on)
    const writable = await statusOf(on, '/readyz/leader')
    on.disk.heal()
    await until('the metric recovers', async () => (await failingCauses(on)).length, { is: (seen) => seen === 0 })

    assertError(refused, 503, 'SERVICE_UNAVAILABLE')
    assert.match(refused.body.error.message, new RegExp(`: ${reason}$`))
    assert.deepEqual([read.status, ready, writable], [200, 200, 503])
    assert.deepEqual(failing, [cause])
    assert.equal(await statusOf(on, '/readyz/leader'), 200)
    const errors = lines.flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line))
    assert.ok(errors.some(({ msg, fault }) => msg === 'the disk does not accept writes' && fault === cause))
    const ofRequest = errors.filter(({ request_id }) => request_id === refused.headers.get('x-request-id'))
    assert.deepEqual(
      ofRequest.map(({ fault, error }) => [fault, typeof error]),
      [cause === 'full' || cause === 'quota' ? [cause, 'undefined'] : [undefined, 'string']],
    )
    await make(on.client, 'organization', { name: 'Second' })
  })
}

test('The disk counts as failing until a write has succeeded', async (t) => {
  const on = await onFaultyDisk(t, withMetrics)
  on.disk.fail('write', 'log', 'ENOSPC', 3)

  assertError(await on.client.post(path, { name: 'Refused' }), 503, 'SERVICE_UNAVAILABLE')
  await until('the metric recovers', async () => (await failingCauses(on)).length, { is: (seen) => seen === 0 })

  assert.equal(on.disk.left('write', 'log'), 0)
})

test('A disk that refuses the writes of an import is reported, and the import ends when it has recovered', async (t) => {
  const on = await onFaultyDisk(t, [...withMetrics, '--rate-limits', 'off'])
  const records = Array.from({ length: 1000 }, (_, number) => ({ first_name: `Ada ${number}` }))
  const job = await submit(on.client, 'contacts', records)

  on.disk.fail('write', 'log', 'ENOSPC')
  await until('the metric says that the disk is full', async () => (await failingCauses(on))[0], {
    is: (seen) => seen === 'full',
  })
  on.disk.heal()

  assert.equal((await ended(on.client, job)).status, 'completed')
  await until('the server accepts writes', () => statusOf(on, '/readyz/leader'), { is: (status) => status === 200 })
})

test('Checkpoints and imports that a full disk refuses again and again log no error each time', async (t) => {
  const on = await onFaultyDisk(t, ['--rate-limits', 'off'])
  const lines: string[] = []
  on.server.child.stdout!.on('data', (chunk) => lines.push(String(chunk)))
  const records = Array.from({ length: 1000 }, (_, number) => ({ first_name: `Ada ${number}` }))
  await fillLog(on.client)

  on.disk.fail('write', 'database', 'ENOSPC', 3)
  await until(
    'three checkpoints have failed',
    async () => {
      await make(on.client, 'organization') // which makes the log safe to move again
      return on.disk.left('write', 'database')
    },
    { is: (left) => left === 0 },
  )
  const job = await submit(on.client, 'contacts', records)
  on.disk.fail('write', 'log', 'ENOSPC', 20)
  await until('twenty writes have failed', () => on.disk.left('write', 'log'), { is: (left) => left === 0 })

  assert.equal((await ended(on.client, job)).status, 'completed')
  const errors = lines
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const counts = ['the checkpoint failed', 'a batch was not imported'].map(
    (text) => errors.filter(({ msg }) => msg === text).length,
  )
  assert.deepEqual(counts, [1, 0])
})

test('A leader whose disk is full is not ready for writes until it has space', async (t) => {
  const work = temporaryDirectory(t)
  const directory = join(work, 'data')
  const disk = faultyDisk(work, directory)
  const etcd = await startFakeEtcd(t)
  const node = await startNode(t, etcd.url, { directory, env: disk.env })
  const statusAt = async (check: string) => (await fetch(`${node.url}${check}`)).status
  await until('the server leads', () => statusAt('/readyz/leader'), { is: (status) => status === 200 })
  const client = await keyAt(node)

  disk.fail('write', 'log', 'ENOSPC')
  const refused = await client.post(path, { name: 'Refused' })
  const during = [await statusAt('/readyz'), await statusAt('/readyz/leader')]
  disk.heal()
  await until('the leader is ready for writes', () => statusAt('/readyz/leader'), { is: (status) => status === 200 })

  assertError(refused, 503, 'SERVICE_UNAVAILABLE')
  assert.deepEqual(during, [200, 503])
  await make(client, 'organization')
})

async function statusOf({ server }: OnFaultyDisk, check: string): Promise<number> {
  const response = await fetch(`${server.first.url}${check}`)
  await response.body?.cancel()
  return response.status
}

async function failingCauses({ server }: OnFaultyDisk): Promise<string[]> {
  const samples = samplesIn(await (await fetch(server.first.metrics!)).text())
  const failing = [...samples].filter(([name, value]) => name.startsWith('kontor_disk_failing') && value === 1)
  return failing.map(([name]) => /cause="(\w+)"/.exec(name)![1]!)
}
