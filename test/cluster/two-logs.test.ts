import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLogOf } from '../../src/cluster/options.ts'
import { startFakeEtcd } from './fake-etcd.ts'

test('The reset of a log leaves another one whose name begins with its name', async (t) => {
  const etcd = await startFakeEtcd(t)
  const [log, below] = ['', '/bb'].map((name) =>
    openLogOf({ log: `${etcd.url}${name}`, advertise: 'http://127.0.0.1:1', logLeaseSeconds: 5 }),
  ) as [ReturnType<typeof openLogOf>, ReturnType<typeof openLogOf>]
  for (const [each, id] of [
    [log, 'aa'],
    [below, 'bb'],
  ] as const) {
    await each.begin({ log: id, epoch: 1, owner: id, position: 0, bytes: 0 })
    await each.secret()
  }

  await log.reset()

  assert.equal((await log.read(0)).head, undefined)
  assert.equal((await below.read(0)).head?.log, 'bb')
  for (const each of [log, below]) each.close()
})
