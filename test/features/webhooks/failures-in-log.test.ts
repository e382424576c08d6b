import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DoneQueue } from '../../../src/changes/readers/done-queue.ts'
import type { LogReader } from '../../../src/changes/readers/log-reader.ts'
import { unavailable } from '../../../src/store/constraint.ts'
import type { Store } from '../../../src/store/store.ts'
import { errorsLogged } from '../../support/errors-logged.ts'
import { start } from '../../support/start.ts'
import { ownSender } from './own-sender.ts'
import { addWebhook } from './webhooks.ts'

test('While the disk fails, the log has one line for the webhooks of all workspaces, and another one when it fails again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { store, client: newClient } = await start(t)
  for (let n = 0; n < 3; n++) await addWebhook(await newClient(), 'https://example.com')
  const logged = await errorsLogged(t)
  let [isFailing, reads] = [true, 0]
  const { ids, sender } = ownSender(t, store, {
    read(workspaceId, run) {
      reads++
      if (isFailing) throw unavailable('The database is not available right now')
      return run(store.workspace(workspaceId))
    },
  })
  const lines = () => logged('webhooks could not be read')

  for (const id of ids) sender.load(id)
  t.mock.timers.tick(1_000)

  assert.deepEqual([reads, lines()], [6, 1])
  isFailing = false
  t.mock.timers.tick(2_000)
  isFailing = true
  for (const id of ids) sender.load(id)
  assert.equal(lines(), 2)
})

test('While the disk accepts no writes, the log has one line for what a reader could not store', async (t) => {
  const { store, client: newClient } = await start(t)
  const { id } = await addWebhook(await newClient(), 'https://example.com')
  const workspaceId = store.access.value<number>('SELECT workspace_id FROM webhook WHERE id = ?', id)!
  const logged = await errorsLogged(t)
  let stored = 0
  const reader = { name: 'own', store: () => void stored++ } as unknown as LogReader<{ workspaceId: number }>
  let tries = 0
  const write: Store['write'] = async (...asked) => {
    if (++tries < 3) throw unavailable('Nothing was written')
    return store.write(...asked)
  }
  const queue = new DoneQueue({ write } as Store, reader)

  await queue.add({ workspaceId })

  assert.deepEqual([tries, stored, logged('a reader of the log could not store what it has done')], [3, 1, 1])
})
