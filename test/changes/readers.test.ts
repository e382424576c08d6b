import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { listWorkspaceIds } from '../../src/access/company.ts'
import { ChangeHub } from '../../src/changes/hub.ts'
import { followLog } from '../../src/changes/readers/follow-log.ts'
import {
  type Done,
  type LogConsumer,
  type LogReader,
  measureReaders,
  unneededUntil,
} from '../../src/changes/readers/log-reader.ts'
import { latestOf } from '../../src/changes/stored-change.ts'
import { unavailable } from '../../src/store/constraint.ts'
import { type Durability, noDurability } from '../../src/store/durability.ts'
import { errorsLogged } from '../support/errors-logged.ts'
import { make } from '../support/make.ts'
import { type Server, start } from '../support/start.ts'
import { until } from '../support/wait.ts'

// A reader that is as small as one can be: it counts changes.

interface Counted extends Done {
  from: number
  until: number
}

const counter: LogReader<Counted> = {
  name: 'counter',
  changed: ['counters changed'],
  positions: 'SELECT workspace_id, position, position AS needed FROM counter WHERE is_on = 1',
  isRead: (reader) => reader.value('SELECT is_on FROM counter WHERE workspace_id = :workspace') === 1,
  store(tx, done) {
    for (const { from, until } of done) {
      const sql = `UPDATE counter SET position = ?, total = total + (
        SELECT count(*) FROM change WHERE workspace_id = :workspace AND seq > ? AND seq <= ?) WHERE workspace_id = :workspace`
      tx.run(sql, until, from, until)
    }
  },
}

const table =
  'CREATE TEMP TABLE counter (workspace_id INTEGER PRIMARY KEY, position INTEGER, total INTEGER, is_on INTEGER)'

async function prepare(t: TestContext, durability: Durability = noDurability) {
  const server = await start(t, { prepare: (db) => db.exec(table), durability, work: 'nowhere' })
  const { client } = await server.company('Acme')
  const workspaceId = listWorkspaceIds(server.store.access)[0]!
  const at = latestOf(server.store.workspace(workspaceId))
  await server.store.writeAccess((tx) => tx.run('INSERT INTO counter VALUES (?, ?, 0, 1)', workspaceId, at))
  const held = (): { position: number; total: number } =>
    server.store.access.row('SELECT position, total FROM counter WHERE workspace_id = ?', workspaceId)!
  return { server, client, workspaceId, at, held }
}

/** Follows the log. `failing` is asked at each change; if it is true, the consumer ends instead of counting. */
function follow({ store }: Server, failing = () => false, { reader = counter, looks = true } = {}) {
  return followLog(store, new ChangeHub(store, 10), reader, {
    start(done, onEnd): LogConsumer {
      const taken = new Map<number, number>()
      return {
        load(workspaceId) {
          const sql = 'SELECT position FROM counter WHERE workspace_id = :workspace AND is_on = 1'
          const position = store.workspace(workspaceId).value<number>(sql)
          if (position === undefined) taken.delete(workspaceId)
          else if (!taken.has(workspaceId)) taken.set(workspaceId, position)
        },
        changed(workspaceId, newest) {
          const from = taken.get(workspaceId)
          if (from === undefined || newest <= from) return
          if (failing()) return onEnd()
          taken.set(workspaceId, newest)
          void done.add({ workspaceId, from, until: newest })
        },
        stop: async () => {},
      }
    },
    looks,
  })
}

test('A reader of the log deals with each change once, also over a restart', async (t) => {
  const { server, client, at, held } = await prepare(t)
  const first = follow(server)
  await make(client, 'organization')
  await until('the first change is counted', () => held().total, { is: (total) => total > 0 })
  await first.stop()
  await make(client, 'organization')
  const between = held()

  const second = follow(server)
  t.after(() => second.stop())
  await make(client, 'organization')
  await until('all three are counted', () => held().total, { is: (total) => total === 3 })

  assert.deepEqual(between, { position: at + 1, total: 1 })
  assert.deepEqual(held(), { position: at + 3, total: 3 })
})

test('A reader of the log whose consumer fails begins again after what it has stored', async (t) => {
  const { server, client, at, held } = await prepare(t)
  let failures = 0
  const following = follow(server, () => failures++ < 1)
  t.after(() => following.stop())

  await make(client, 'organization')
  await until('the change is counted', () => held().total, { is: (total) => total > 0 })

  assert.equal(failures, 2)
  assert.deepEqual(held(), { position: at + 1, total: 1 })
})

test('What a reader of the log needs is not pruned, and how far it is behind is measured', async (t) => {
  const { server, client, workspaceId, at, held } = await prepare(t)
  const { store } = server
  for (let n = 0; n < 3; n++) await make(client, 'organization')
  const workspace = store.workspace(workspaceId)
  const [needed, behind] = [unneededUntil([counter], workspace), measureReaders([counter], store)]

  const following = follow(server)
  await until('all are counted', () => held().total, { is: (total) => total === 3 })
  await following.stop()
  const [neededAfter, behindAfter] = [unneededUntil([counter], workspace), measureReaders([counter], store)]
  await store.writeAccess((tx) => tx.run('UPDATE counter SET is_on = 0'))

  assert.deepEqual([needed, behind], [at, { counter: 3 }])
  assert.deepEqual([neededAfter, behindAfter], [at + 3, { counter: 0 }])
  assert.equal(unneededUntil([counter], workspace), undefined, 'without a position, nothing is needed')
})

test('A workspace gets a reader of the log while it is followed, and loses it', async (t) => {
  const { server, client, workspaceId, held } = await prepare(t)
  const following = follow(server)
  t.after(() => following.stop())
  const turn = (isOn: number) =>
    server.store.write(workspaceId, (tx) => {
      tx.run('UPDATE counter SET is_on = ? WHERE workspace_id = :workspace', isOn)
      tx.announce('counters changed')
    })
  await turn(0)
  await make(client, 'organization')
  const off = held().total
  await turn(1)
  await make(client, 'organization')
  await until('both are counted', () => held().total, { is: (total) => total === 2 })

  assert.equal(off, 0)
})

test('A change that is not on disk yet is dealt with once it is', async (t) => {
  let refusals = 0
  let isFull = false
  const durability = {
    ...noDurability,
    get suspect() {
      return isFull
    },
    async rewrite() {
      refusals++
      throw new Error('no space left on device')
    },
  }
  const { server, client, held } = await prepare(t, durability)
  await make(client, 'organization')
  isFull = true
  const following = follow(server)
  t.after(() => following.stop())
  await following.tellAll()
  assert.ok(refusals > 0)
  const early = held().total

  isFull = false
  await until('the change is counted', () => held().total, { is: (total) => total > 0 })

  assert.equal(early, 0)
})

test('While workspaces cannot be read, the log has one line for all of them, also while others can be, and another one when they fail again', async (t) => {
  const { server } = await prepare(t)
  const { store } = server
  await server.company('Nordwind')
  const workspaceIds = listWorkspaceIds(store.access)
  await store.writeAccess((tx) => {
    for (const id of workspaceIds) tx.run('INSERT INTO counter VALUES (?, 0, 0, 1) ON CONFLICT DO NOTHING', id)
  })
  const logged = await errorsLogged(t)
  const lines = () => [
    logged('a reader of the log failed: its positions could not be read'),
    logged('a reader of the log failed: changes could not be passed on'),
  ]
  let failing: number[] = []
  let reads = 0
  const isRead: typeof counter.isRead = (reader) => {
    reads++
    if (!failing.includes(reader.value('SELECT :workspace')!)) return counter.isRead(reader)
    throw unavailable('The database is not available right now')
  }
  const following = follow(server, () => false, { reader: { ...counter, isRead }, looks: false })
  t.after(() => following.stop())
  await following.tellAll()

  const fail = async (ids: number[]) => {
    failing = ids
    reads = 0
    for (let n = 1; n <= 3; n++) {
      await store.writeAccess((tx) => tx.run('UPDATE counter SET total = total'))
      await until('each workspace is read again', () => reads, { is: (count) => count > n * workspaceIds.length })
      await following.tellAll()
    }
  }
  await fail(workspaceIds)
  const all = lines()
  failing = []
  await following.tellAll()
  await fail(workspaceIds.slice(1, 2))
  const one = lines()

  assert.ok(workspaceIds.length > 2)
  assert.deepEqual({ all, one }, { all: [1, 1], one: [2, 2] })
})
