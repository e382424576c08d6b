import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { newLogState } from '../../src/store/durability.ts'
import { startWork } from '../../src/threads/work.ts'
import { start } from '../support/start.ts'

test('A worker thread that dies is started again', async (t) => {
  const { path, store } = await start(t, { work: 'nowhere' })
  const started = once(process, 'worker') as Promise<[Worker]>
  const work = startWork(store, { path, logState: newLogState(), searched: [] })
  t.after(() => work.stop())
  const [first] = await started
  await once(first, 'online')

  const again = once(process, 'worker') as Promise<[Worker]>
  await first.terminate()
  const [second] = await again
  await once(second, 'online')

  assert.notEqual(second.threadId, first.threadId)
})
