import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findWorkspaceId } from '../../src/access/company.ts'
import { type BatchReader, inSteps, planBatch } from '../../src/changes/readers/batch-reader.ts'
import { catchUpHere } from '../../src/changes/readers/keep-up.ts'
import type { Reader } from '../../src/store/reader.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

const contacts = 5
/** With two contacts a transaction. */
const transactions = 3

/** A server with five new contacts, and a reader of the log that notes them, which has dealt with everything before. */
async function prepare(t: TestContext) {
  const { store, company } = await start(t, { work: 'nowhere' })
  const { id, client } = await company('Acme')
  const workspaceId = findWorkspaceId(store.access, id, 'live')
  const noted: string[] = []
  const noting: BatchReader = {
    name: 'noting',
    version: 1,
    types: ['contact.created'],
    apply: (_reader: Reader, changes) =>
      inSteps(changes, 2, (_tx, { recordId }) => {
        noted.push(recordId)
      }),
    rebuild: () => ({ steps: [], next: undefined }),
    *verify() {},
  }
  const plan = () => planBatch(noting, store.workspace(workspaceId))!
  const write = (run: ReturnType<typeof plan>['writes'][number]) => store.write(workspaceId, run)
  for (let batch = 0; batch < 2; batch++) for (const run of plan().writes) await write(run) // the first one stores where it begins
  const ids: string[] = []
  for (let number = 0; number < contacts; number++) ids.push((await make(client, 'contact')).id)
  return { store, workspaceId, noted, ids, plan, write }
}

test('A batch of a reader of the log is written in several transactions, and done again if not all of them were', async (t) => {
  const { noted, ids, plan, write } = await prepare(t)

  const first = plan()
  for (const run of first.writes.slice(0, -1)) assert.equal(await write(run), true)
  const again = plan()
  for (const run of again.writes) assert.equal(await write(run), true)

  assert.deepEqual([first.writes.length, again.writes.length], [transactions, transactions])
  assert.deepEqual(noted, [...ids.slice(0, 4), ...ids])
})

test('Of a batch that was read before its reader began anew, nothing more is written', async (t) => {
  const { store, workspaceId, noted, plan, write } = await prepare(t)

  const { writes } = plan()
  assert.equal(await write(writes[0]!), true)
  await store.write(workspaceId, (tx) => void tx.run('DELETE FROM log_reader WHERE workspace_id = :workspace'))

  assert.equal(await write(writes[1]!), false)
  assert.equal(noted.length, 2)
})

test('Readers that have been stopped do nothing about later changes, and nobody waits for them', async (t) => {
  const { store, company } = await start(t, { work: 'nowhere' })
  const { client } = await company('Acme')
  const reading = catchUpHere(store, [])
  await reading.stop()

  await make(client, 'contact')

  await reading.idle()
})
