import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cpSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readPart } from '../../src/cluster/entry.ts'
import { Place } from '../../src/cluster/place.ts'
import { compareWithLog } from '../../src/cluster/relead.ts'
import { readState } from '../../src/cluster/state.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { until } from '../support/wait.ts'
import { startFakeEtcd } from './fake-etcd.ts'
import { inReverse, startOwnNode } from './own-node.ts'

test('A leader that ends within an entry of several parts, and leads again, begins with this entry', async (test) => {
  const t = inReverse(test)
  const etcd = await startFakeEtcd(t)
  const crashed = join(temporaryDirectory(t), 'data')
  const { store, member, directory } = await startOwnNode(t, etcd.url)
  const write = (name: string, value: string) =>
    store.writeAccess((tx) => tx.run('INSERT INTO setting (name, value) VALUES (?, ?)', name, value))
  await write('short', 'x')
  const { log } = member.joined
  let parts = 0
  etcd.fault = (_path, _writes, { success = [] }) => {
    const isLong = success.some(({ request_put }) => (request_put?.value.length ?? 0) > 2 ** 20)
    return isLong && parts++ > 0 ? 'dropped before' : undefined
  }

  const writing = write('long', randomBytes(2 ** 21).toString('base64')).catch(() => {}) // it is not confirmed in time
  await until('a part of the entry is in the log', () => parts > 1)
  cpSync(directory, crashed, { recursive: true })
  const head = (await log.read(0)).head!
  const [previous, newest] = (await log.read(head.position - 2)).parts.map(({ bytes }) => readPart(bytes))
  const relation = await compareWithLog(new Place(crashed, readState(crashed)!.settings), log, head)
  etcd.fault = () => undefined
  await writing

  assert.deepEqual([newest!.part, newest!.parts > 1], [0, true])
  assert.deepEqual(relation, { ahead: previous!.end })
})

test('A leader that lost its write-ahead log, leads again and crashes again, still knows what it has more than the log', async (test) => {
  const t = inReverse(test)
  const etcd = await startFakeEtcd(t)
  const [lost, crashed] = [1, 2].map((number) => join(temporaryDirectory(t), `data-${number}`)) as [string, string]
  const first = await startOwnNode(t, etcd.url)
  const write = ({ store }: typeof first, name: string) =>
    store.writeAccess((tx) => tx.run('INSERT INTO setting (name, value) VALUES (?, ?)', name, 'x'))
  await write(first, 'shipped')
  cpSync(first.directory, lost, { recursive: true })
  truncateSync(join(lost, 'kontor.db-wal')) // as after a power cut
  rmSync(join(lost, 'kontor.db-shm'))
  await first.stop()
  const again = await startOwnNode(t, etcd.url, { directory: lost })
  await until('it leads again', () => again.member.isLeader)
  const { log } = again.member.joined
  etcd.fault = (_path, writes) => (writes ? 'dropped before' : undefined)

  const writing = write(again, 'not shipped').catch(() => {}) // it is not confirmed in time
  await until('it is committed', () => again.store.access.value("SELECT 1 FROM setting WHERE name = 'not shipped'"))
  cpSync(lost, crashed, { recursive: true })
  const head = (await log.read(0)).head!
  const state = readState(crashed)!
  const relation = await compareWithLog(new Place(crashed, state.settings), log, head)
  etcd.fault = () => undefined
  await writing

  assert.equal(state.leading, head.epoch) // the entries before were those of another write-ahead log
  assert.deepEqual(relation, { ahead: { salts: '', frames: 0 } })
})
