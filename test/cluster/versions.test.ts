import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { DatabaseFile } from '../../src/cluster/database-file.ts'
import { type Joined, join as joinLog } from '../../src/cluster/join.ts'
import { schema } from '../../src/commands/open-store.ts'
import { newestOf } from '../../src/store/migrate.ts'
import { watchPauses } from '../support/fault-times.ts'
import { until } from '../support/wait.ts'
import { startNode } from './cluster.ts'
import { startFakeEtcd } from './fake-etcd.ts'
import { inReverse, type OwnNode, startOwnNode } from './own-node.ts'

test('A server that follows ends when the leader has upgraded the schema, and waits until it is upgraded, too', async (test) => {
  const t = inReverse(test)
  const etcd = await startFakeEtcd(t)
  const leader = await startOwnNode(t, etcd.url)
  const follower = await startNode(t, etcd.url)

  await leader.store.writeAccess((tx) => tx.run('PRAGMA user_version = 999'))

  assert.equal(await follower.exited, 1)
  const back = await startNode(t, etcd.url, { directory: follower.directory, wait: false })
  await until('it waits', () => back.lines.some((line) => line.includes('waiting for a leader of the same version')))
  await assert.rejects(fetch(`${back.url}/healthz`))
})

/** The key of the log in etcd. */
function isKey(name: string, key = ''): boolean {
  return Buffer.from(key, 'base64').toString() === `kontor/${name}`
}

/** Starts a leader and a server that follows, and stops both. Between, `work` is done at the leader. `upgrade` starts the one that followed as the next version. */
async function startUpgrade(test: TestContext, work: (leader: OwnNode) => Promise<unknown> = async () => {}) {
  const t = inReverse(test)
  const etcd = await startFakeEtcd(t)
  const leader = await startOwnNode(t, etcd.url)
  const { directory, url, stop } = await startOwnNode(t, etcd.url)
  await stop()
  await work(leader)
  await leader.stop()
  const upgrade = async () => {
    let joined: Joined | undefined
    const settings = { log: etcd.url, advertise: url, logLeaseSeconds: 60 }
    void joinLog({ directory, settings, schemaVersion: newestOf(schema.steps) + 1, version: 'next' }).then((found) => {
      joined = found
    })
    t.after(async () => {
      await joined?.lease.close()
      joined?.release()
    })
    await until('it leads', () => joined?.lead)
  }
  return { etcd, upgrade }
}

test('An upgraded server takes the lead although etcd did not answer when it tried first', async (t) => {
  const { etcd, upgrade } = await startUpgrade(t)
  let lost = 0
  etcd.fault = (_path, writes, { success = [] }) => {
    if (!writes || lost > 0 || !success.some(({ request_put }) => isKey('head', request_put?.key))) return undefined
    lost++
    return 'timed out before'
  }

  await upgrade()

  assert.equal(lost, 1)
})

/** How long a server waits that has read all entries. */
const pauseMs = 200

test('An upgraded server that is behind reads one entry after the other, not its own log each time, and then takes the lead', async (t) => {
  const { upgrade } = await startUpgrade(t, async ({ store }) => {
    for (let n = 0; n < 480; n++)
      await store.writeAccess((tx) => tx.run('INSERT INTO setting (name, value) VALUES (?, ?)', `n${n}`, 'x'))
  })
  const { mock } = t.mock.method(DatabaseFile.prototype, 'firstPage')
  const pauses = watchPauses(t)

  await upgrade()

  const long = pauses.filter((ms) => ms >= pauseMs)
  assert.ok(long.length <= 4, `${long.length} pauses`)
  assert.ok(mock.callCount() <= 6, `${mock.callCount()} times`)
})

test('An upgraded server that waits for the lead moves what it has written ahead into its database', async (test) => {
  const t = inReverse(test)
  const etcd = await startFakeEtcd(t)
  const leader = await startOwnNode(t, etcd.url)
  const { directory, url, stop } = await startOwnNode(t, etcd.url)
  await stop()
  const settings = { log: etcd.url, advertise: url, logLeaseSeconds: 60 }
  const next = { schemaVersion: newestOf(schema.steps) + 1, version: 'next' }
  const joining = joinLog({ directory, settings, ...next })
  const bytes = (ending = '') => statSync(join(directory, `kontor.db${ending}`), { throwIfNoEntry: false })?.size ?? 0

  for (let n = 0; n < 36; n++) {
    const large = 'INSERT INTO setting VALUES (?, hex(randomblob(262144)))'
    await leader.store.writeAccess((tx) => tx.run(large, `large ${n}`))
  }
  await until('it has all of it', () => bytes() + bytes('-wal') > 18 * 2 ** 20)
  await until('its write-ahead log is small', () => bytes('-wal') < 17 * 2 ** 20)
  const moved = bytes()
  await leader.stop()
  const joined = await joining
  t.after(async () => {
    await joined.lease.close()
    joined.release()
  })

  assert.ok(moved > 16 * 2 ** 20, `${moved} bytes`)
  assert.ok(joined.lead)
})
