import assert from 'node:assert/strict'
import { closeSync, mkdirSync, openSync, readdirSync, rmdirSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { WalWriter } from '../../src/cluster/wal-writer.ts'
import { openConnection } from '../../src/store/open.ts'
import { administerHere, runHere } from '../support/command.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { until } from '../support/wait.ts'
import { leaderOf, startNode } from './cluster.ts'
import { startFakeEtcd } from './fake-etcd.ts'
import { inReverse, type OwnNode, startOwnNode } from './own-node.ts'

/** Lets a server store its state no more, as on a full disk. */
function breakState({ directory }: { directory: string }): void {
  mkdirSync(join(directory, 'kontor.log.json.new'), { recursive: true })
}

function mendState({ directory }: { directory: string }): void {
  rmdirSync(join(directory, 'kontor.log.json.new'))
}

/** Calls `onLead` instead of each attempt to take the lead, whose result it may change. */
function watchLead({ member }: OwnNode, onLead: (isTaken: () => Promise<boolean>) => Promise<boolean>): void {
  const { log } = member.joined
  const campaign = log.campaign.bind(log)
  log.campaign = (...asked) => onLead(() => campaign(...asked))
}

/** Starts a leader, and two servers that follow: the disk of one is going to fail. */
async function startThree(t: Pick<TestContext, 'after'>) {
  const etcd = await startFakeEtcd(t)
  const leader = await startOwnNode(t, etcd.url)
  return { etcd, leader, broken: await startOwnNode(t, etcd.url), sound: await startOwnNode(t, etcd.url) }
}

test('A server whose disk does not let it lead leaves the lead to another one', async (test) => {
  const t = inReverse(test)
  const { leader, broken, sound } = await startThree(t)
  let hasTried = false
  watchLead(broken, async (isTaken) => {
    hasTried = await isTaken()
    return hasTried
  })
  watchLead(sound, async (isTaken) => hasTried && isTaken())
  breakState(broken)

  await leader.stop()

  await until('the sound server leads', () => sound.member.isLeader)
  assert.ok(hasTried)
  assert.ok(!broken.member.isLeader)
})

test('A server whose disk has not let it lead need not copy the database when it starts again', async (test) => {
  const t = inReverse(test)
  const { etcd, leader, broken, sound } = await startThree(t)
  let hasTaken = false
  const { log } = broken.member.joined
  const advance = log.advance.bind(log)
  log.advance = async (...asked) => {
    hasTaken = await advance(...asked)
    breakState(broken)
    return hasTaken
  }
  watchLead(sound, async (isTaken) => hasTaken && isTaken())
  await leader.stop()
  await until('the sound server leads', () => sound.member.isLeader)
  mendState(broken)

  await broken.stop()

  const again = await startOwnNode(t, etcd.url, { directory: broken.directory })
  assert.ok(!again.member.isLeader)
  assert.deepEqual(
    readdirSync(broken.directory).filter((name) => name.includes('deposed')),
    [],
  )
})

test('A server that follows accepts its disk again once that has room for the next entry', async (test) => {
  const t = inReverse(test)
  const etcd = await startFakeEtcd(t)
  const leader = await startOwnNode(t, etcd.url)
  const { store } = await startOwnNode(t, etcd.url)
  const full = test.mock.method(WalWriter.prototype, 'apply', () => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  })
  await leader.store.writeAccess((tx) => tx.run("INSERT INTO setting (name, value) VALUES ('one', 'x')"))
  await until('the server has noticed', () => store.disk.fault)

  full.mock.restore()

  await until('the fault is over', () => store.disk.fault === undefined)
})

test('A server that led and cannot start again, as its database is damaged, leaves the lead to another one, whose database it then copies', async (t) => {
  const etcd = await startFakeEtcd(t)
  const args = ['--log-lease', '60s']
  const { directory, url, stop } = await startNode(t, etcd.url, { args })
  await stop() // which moves everything into the database
  const options = { args, directory, port: Number(new URL(url).port) }
  const leader = await startNode(t, etcd.url, options)
  await leaderOf([leader])
  const follower = await startNode(t, etcd.url, { args })
  await leader.stop('SIGKILL')
  const file = openSync(join(directory, 'kontor.db'), 'r+')
  writeSync(file, Buffer.alloc(200_000, 0xff), 0, 200_000, 20_480)
  closeSync(file)

  const again = await startNode(t, etcd.url, { ...options, wait: false })

  assert.equal(await again.exited, 1)
  await leaderOf([follower])
  await startNode(t, etcd.url, options)
  assert.ok(readdirSync(directory).some((name) => name.includes('deposed')))
})

test('A server that led and cannot start again leaves its last commits in the write-ahead log', async (t) => {
  const etcd = await startFakeEtcd(t)
  const { directory, url, stop } = await startNode(t, etcd.url)
  const path = join(directory, 'kontor.db')
  const db = openConnection(path, { busyTimeoutMs: 5_000, synchronous: 'NORMAL' })
  db.exec('CREATE VIEW foreign_view AS SELECT 1')
  db.close()
  await stop('SIGKILL')
  const logBytes = () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size
  const before = logBytes()

  const again = await startNode(t, etcd.url, { directory, port: Number(new URL(url).port), wait: false })

  assert.equal(await again.exited, 1)
  assert.match(again.lines.join(), /cannot be used, because/)
  assert.ok(before)
  assert.equal(logBytes(), before)
})

test('A server that has been replaced ends, also if its disk is full', async (t) => {
  const etcd = await startFakeEtcd(t)
  const leader = await startNode(t, etcd.url)
  await leaderOf([leader])
  breakState(leader)

  const head = etcd.keys.get('kontor/head')!
  const { epoch, ...rest } = JSON.parse(head.value.toString())
  head.value = Buffer.from(JSON.stringify({ ...rest, epoch: epoch + 1, owner: 'another' }))

  assert.equal(await leader.exited, 1)
})

test('A restore replaces nothing if it cannot note that the directory has left its log', async (t) => {
  const etcd = await startFakeEtcd(t)
  const { directory, stop } = await startNode(t, etcd.url)
  const file = join(temporaryDirectory(t), 'backup.db')
  await stop()
  await administerHere('backup', file, '--data', directory)
  breakState({ directory })

  const { code, stderr } = await runHere(['restore', file, '--data', directory])

  assert.equal(code, 1, stderr)
  assert.deepEqual(
    readdirSync(directory).filter((name) => name.includes('restore')),
    [],
  )
})
