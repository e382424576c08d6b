import assert from 'node:assert/strict'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { decodeEntry, readPart } from '../../src/cluster/entry.ts'
import { openConnection } from '../../src/store/open.ts'
import { caughtUp, keyAt, startNode } from '../cluster/cluster.ts'
import { type FakeEtcd, startFakeEtcd } from '../cluster/fake-etcd.ts'
import type { Client } from '../support/client.ts'
import { make } from '../support/make.ts'
import { bundle, run } from '../support/program.ts'
import { start } from '../support/start.ts'
import { findInFiles, untilErased } from './bytes.ts'

/** A former value, as SQLite leaves it in a gap when it distributes the rows of a table over pages. */
const left = { 'a former value': 'Qxwvzbjfpk' }
/** A table that these tests do not write to. */
const unwritten = 'webhook'

/** Leaves it in the first page of a table. No server has the database open. Returns the number of the page. */
function leaveInGap(path: string): number {
  const db = openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  const root = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(unwritten) as number
  const pageSize = db.pragma('page_size', { simple: true }) as number
  db.close()
  const file = openSync(path, 'r+')
  writeSync(file, left['a former value'], root * pageSize - 100)
  closeSync(file)
  assert.equal(findInFiles(path, left).length, 1)
  return root
}

async function eraseOne(client: Client): Promise<void> {
  const { id } = await make(client, 'contact')
  await client.delete(`/api-v1-contacts/${id}`)
  assert.equal((await client.delete(`/api-v1-trash/${id}`)).status, 200)
}

test('An erasure also removes what SQLite has left in gaps of pages', async (t) => {
  const before = await start(t)
  await before.stop()
  leaveInGap(before.path)
  const server = await start(t, { directory: before.directory, work: 'thread' })
  const client = await server.client()

  await eraseOne(client)

  await untilErased(server.path, left)
})

test('A server that starts removes what an erasure before left in gaps of pages', async (t) => {
  const before = await start(t)
  await eraseOne(await before.client())
  await before.stop()
  leaveInGap(before.path)

  const server = await start(t, { directory: before.directory, work: 'thread' })

  await untilErased(server.path, left)
})

test('With a log, each server removes what is left in gaps of its own file, and sends nothing to the others for that', async (t) => {
  const before = await start(t)
  await before.stop()
  const page = leaveInGap(before.path)
  const etcd = await startFakeEtcd(t)
  const leader = await startNode(t, etcd.url, { directory: before.directory })
  const client = await keyAt(leader)
  const follower = await startNode(t, etcd.url)
  const paths = [leader, follower].map((node) => join(node.directory, 'kontor.db'))
  for (const path of paths) assert.equal(findInFiles(path, left).length, 1)

  await eraseOne(client)

  for (const path of paths) await untilErased(path, left)
  const made = await client.post('/api-v1-contacts', { first_name: 'Ada' })
  const there = await caughtUp(follower, client, made)
  assert.deepEqual((await there.get('/api-v1-contacts')).body, (await client.get('/api-v1-contacts')).body)
  assert.equal((await pagesIn(etcd)).has(page), false)
  for (const node of [follower, leader]) {
    await node.stop()
    const { code, stdout } = await run(bundle, ['check', '--data', node.directory])
    assert.equal(code, 0, stdout)
  }
})

/** The numbers of the pages that the log has. */
async function pagesIn({ keys }: FakeEtcd): Promise<Set<number>> {
  const parts = [...keys].filter(([key]) => key.includes('/parts/')).map(([, { value }]) => readPart(value))
  const entries = await Promise.all(parts.map((part) => decodeEntry([part])))
  return new Set(entries.flatMap(({ pages }) => [...pages.keys()]))
}
