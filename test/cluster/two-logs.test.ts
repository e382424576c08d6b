import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openLogOf } from '../../src/cluster/options.ts'
import { resetLog } from '../../src/cluster/reset.ts'
import { schema } from '../../src/commands/open-store.ts'
import { openForServer } from '../../src/store/directory.ts'
import { temporaryDirectory } from '../support/directory.ts'
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

test('A log is not reset while a server of it runs', async (t) => {
  const settings = { log: (await startFakeEtcd(t)).url, advertise: 'http://127.0.0.1:1', logLeaseSeconds: 5 }
  const log = openLogOf(settings)
  const report = { node: 'a', url: 'http://127.0.0.1:2', position: 0, version: '' }
  await log.report(report, await log.grant(60))
  const directory = join(temporaryDirectory(t), 'data')
  const { db, release } = openForServer(directory, schema)
  db.close()
  release()

  await assert.rejects(resetLog(directory, settings), /Servers of this log run, .*: http:\/\/127\.0\.0\.1:2\./)

  log.close()
})
