import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { newLogState } from '../../src/store/durability.ts'
import { startWork } from '../../src/threads/work.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { until } from '../support/wait.ts'

test('A worker thread that dies is started again', async (t) => {
  const { path, store } = await start(t, { work: 'nowhere' })
  const started = once(process, 'worker') as Promise<[Worker]>
  const work = startWork(store, { path, logState: newLogState(), searched: [] })
  t.after(() => work.stop())
  const [first] = await started
  await once(first, 'message')

  const again = once(process, 'worker') as Promise<[Worker]>
  await first.terminate()
  const [second] = await again
  await once(second, 'online')

  assert.notEqual(second.threadId, first.threadId)
})

/** How many locks there are on the database and on the index of its log. */
function locksOn(path: string): number[] {
  const inodes = ['', '-shm'].map((ending) => `:${statSync(path + ending).ino} `)
  const lines = readFileSync('/proc/locks', 'utf8').split('\n')
  return inodes.map((inode) => lines.filter((line) => line.includes(inode)).length)
}

test('A worker thread that ends after an erasure leaves the locks of the process on the database', async (t) => {
  const { path, store, client: clientOf } = await start(t, { work: 'nowhere' })
  const client = await clientOf()
  const started = once(process, 'worker') as Promise<[Worker]>
  const work = startWork(store, { path, logState: newLogState(), searched: [], checkpoints: true })
  t.after(() => work.stop())
  const [worker] = await started
  const { id } = await make(client, 'contact')
  await client.delete(`/api-v1-contacts/${id}`)
  await client.delete(`/api-v1-trash/${id}`)
  await until('the log is truncated', () => statSync(`${path}-wal`).size === 0) // reading the files would end the locks, too
  const before = locksOn(path)

  await worker.terminate()

  assert.ok(before.every((count) => count > 0))
  assert.deepEqual(locksOn(path), before)
})
