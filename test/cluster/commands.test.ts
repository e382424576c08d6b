import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { defaultPlan } from '../../src/access/plan.ts'
import { withLogStore } from '../../src/commands/log-store.ts'
import { withStore } from '../../src/commands/open-store.ts'
import { createCompany } from '../../src/crm/create-company.ts'
import { Store } from '../../src/store/store.ts'
import { nextSchema } from '../store/next-release.ts'
import { administerHere } from '../support/command.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { administer, bundle, run } from '../support/program.ts'
import { at, caughtUp, keyAt, leaderOf, type Node, startNode } from './cluster.ts'
import { startFakeEtcd } from './fake-etcd.ts'

/** A transaction of a command. */
function create(store: Store, name: string): Promise<unknown> {
  return store.writeAccess((tx) => createCompany(tx, { name, plan: defaultPlan }))
}

async function namesIn({ directory }: Pick<Node, 'directory'>): Promise<string[]> {
  const { companies } = await administerHere('company', 'list', '--data', directory)
  return companies.map(({ name }: { name: string }) => name).sort()
}

test('A command that only reads ends in order when no server runs', async (t) => {
  const etcd = await startFakeEtcd(t)
  const leader = await startNode(t, etcd.url)
  await keyAt(leader)
  await leader.stop()

  const { code, stderr } = await run(bundle, ['company', 'list', '--data', leader.directory])

  assert.deepEqual([code, stderr], [0, ''])
})

test('Commands say that etcd cannot be reached', async (t) => {
  const etcd = await startFakeEtcd(t)
  const leader = await startNode(t, etcd.url)
  await leader.stop()
  etcd.fault = () => 'dropped before'

  for (const args of [['company', 'list'], ['log'], ['log', 'reset']]) {
    const { code, stderr } = await run(bundle, [...args, '--data', leader.directory])
    assert.equal(code, 1)
    assert.match(stderr, /^kontor: The log cannot be reached: [^\n]+\n$/)
  }
})

test('A command that would take the lead ends, and says why it cannot, while etcd is full', async (t) => {
  const etcd = await startFakeEtcd(t)
  const leader = await startNode(t, etcd.url)
  await leader.stop()
  etcd.fault = (path, writes) => (writes || path.endsWith('/grant') ? 'full' : undefined)

  const { code, stderr } = await run(bundle, ['company', 'list', '--data', leader.directory])

  assert.equal(code, 1)
  assert.match(
    stderr,
    /^kontor: Nothing has been done in 10 seconds: waiting for etcd, reason: [^\n]*space exceeded\.\n$/,
  )
})

test('Commands say that their certificate for etcd cannot be read', async (t) => {
  const etcd = await startFakeEtcd(t)
  const leader = await startNode(t, etcd.url)
  await leader.stop()
  const path = join(leader.directory, 'kontor.log.json')
  const { settings, ...state } = JSON.parse(readFileSync(path, 'utf8'))
  const logCert = join(leader.directory, 'kontor.pem')
  writeFileSync(logCert, 'no certificate')
  writeFileSync(path, JSON.stringify({ ...state, settings: { ...settings, logCert } }))

  for (const args of [['company', 'list'], ['log']]) {
    const { code, stderr } = await run(bundle, [...args, '--data', leader.directory])
    assert.equal(code, 1)
    assert.match(stderr, /^kontor: The log cannot be reached: etcd cannot be reached: [^\n]+\n$/)
  }
})

test('A command whose server hands over and follows writes nothing more, and says so', async (t) => {
  const etcd = await startFakeEtcd(t)
  const [leader, follower] = [await startNode(t, etcd.url), await startNode(t, etcd.url)]
  const client = await keyAt(leader)
  let back: Node | undefined

  const working = withStore(leader.directory, async (store) => {
    await create(store, 'Before')
    await leader.stop()
    back = await startNode(t, etcd.url, { directory: leader.directory })
    await create(store, 'Afterwards')
  })

  await assert.rejects(working, /This server has handed over the lead, so the command has stopped/)
  const next = at(await leaderOf([follower]), client)
  await caughtUp(back!, client, await next.post('/api-v1-organizations', { name: 'Südwind' }))
  for (const node of [follower, back!]) {
    assert.deepEqual(await namesIn(node), ['Acme', 'Before'])
    await administerHere('check', '--data', node.directory)
  }
})

test('A command is not confirmed by its server if that has followed another one since', async (t) => {
  const etcd = await startFakeEtcd(t)
  const [leader, follower] = [await startNode(t, etcd.url), await startNode(t, etcd.url)]
  await keyAt(leader)
  const { directory, url } = leader

  const working = withStore(directory, async (store) => {
    await leader.stop('SIGKILL')
    await leaderOf([follower])
    await create(store, 'Set aside')
    const back = await startNode(t, etcd.url, { directory, port: Number(new URL(url).port) })
    await follower.stop()
    await leaderOf([back])
  })

  await assert.rejects(working, /It is not known whether the change is in the log \(this server has handed over\)/)
  assert.ok(!(await namesIn(leader)).includes('Set aside'))
})

test('What a command has written whose server was killed is neither lost nor does it damage the database', async (t) => {
  const etcd = await startFakeEtcd(t)
  const leader = await startNode(t, etcd.url)
  await keyAt(leader)

  const working = withStore(leader.directory, async (store) => {
    await leader.stop('SIGKILL')
    for (let n = 0; n < 20; n++) await create(store, `Number ${n}`)
  })
  await assert.rejects(working, /It is not known whether the change is in the log/)

  const back = await startNode(t, etcd.url, { directory: leader.directory })
  await leaderOf([back])
  assert.equal((await namesIn(back)).length, 21)
  const other = await startNode(t, etcd.url)
  for (const { directory } of [back, other]) {
    await administerHere('check', '--data', directory)
  }
  assert.deepEqual(await namesIn(other), await namesIn(back))
})

test('A command of another version than the server beside it does not upgrade the database, also when that server ends', async (t) => {
  const etcd = await startFakeEtcd(t)
  const leader = await startNode(t, etcd.url)
  await keyAt(leader)

  const refused = assert.rejects(
    withLogStore(leader.directory, nextSchema, () => assert.fail('it has run'), { create: false }),
    /is of another version: start it again first/,
  )
  await leader.stop('SIGKILL')

  await refused
  const back = await startNode(t, etcd.url, { directory: leader.directory })
  await leaderOf([back])
  assert.deepEqual(await namesIn(back), ['Acme'])
})

test('A command leaves its last commits in the write-ahead log, also if the server beside it is killed just before the command ends', async (t) => {
  const etcd = await startFakeEtcd(t)
  const leader = await startNode(t, etcd.url)
  await leaderOf([leader])
  const { close } = Store.prototype
  t.mock.method(Store.prototype, 'close', async function (this: Store) {
    await leader.stop('SIGKILL')
    return close.call(this)
  })

  await withStore(leader.directory, (store) => create(store, 'Last'))

  await leader.stop('SIGKILL')
  assert.ok(statSync(join(leader.directory, 'kontor.db-wal')).size > 0)
})

test('A check and a backup of the database of a server that has ended leave nothing beside it', async (t) => {
  const etcd = await startFakeEtcd(t)
  const leader = await startNode(t, etcd.url)
  await leaderOf([leader])
  await leader.stop()
  const before = readdirSync(leader.directory).sort()

  for (const args of [['check'], ['backup', join(temporaryDirectory(t), 'backup.db')]]) {
    await administer(bundle, ...args, '--data', leader.directory)
    assert.deepEqual(readdirSync(leader.directory).sort(), before)
  }
})
