import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findWorkspaceId } from '../../src/access/company.ts'
import type { BatchReader } from '../../src/changes/readers/batch-reader.ts'
import { CatchUp } from '../../src/changes/readers/keep-up.ts'
import { storeMove } from '../../src/store/company-move.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

/** How many transactions a batch of the first company takes. */
const stepsLong = 2_000

/**
 * Two companies in which a reader of the log has dealt with everything. In the first one, a batch is long. `written` are the companies of its
 * transactions so far, `onStep` is called in each; `rebuilt` are the workspaces of which everything was made anew.
 */
async function prepare(t: TestContext) {
  const { store, company } = await start(t, { work: 'nowhere' })
  const [first, second] = [await company('Acme'), await company('Second')]
  const firstId = findWorkspaceId(store.access, first.id, 'live')
  const written: string[] = []
  const rebuilt: number[] = []
  const given = { isNeeded: true, onStep: (_companyId: string): void => {} }
  const reader: BatchReader = {
    name: 'noting',
    version: 1,
    types: ['contact.created'],
    isNeeded: () => given.isNeeded,
    apply(of) {
      const isFirst = of.value('SELECT :workspace') === firstId
      const { id } = isFirst ? first : second
      return Array.from({ length: isFirst ? stepsLong : 1 }, () => () => {
        written.push(id)
        given.onStep(id)
      })
    },
    rebuild: (of) => {
      rebuilt.push(of.value('SELECT :workspace')!)
      return { steps: [], next: undefined }
    },
    verify: () => [],
  }
  const stopping = new AbortController()
  const catchUp = new CatchUp(store, [reader])
  const run = () => catchUp.run(stopping.signal)
  for (const { client } of [first, second]) await make(client, 'organization')
  await run()
  return { store, first, second, written, rebuilt, given, stopping, run }
}

test('A long batch of one company does not keep back a change of another that comes meanwhile', async (t) => {
  const { first, second, written, given, stopping, run } = await prepare(t)
  await make(first.client, 'contact')
  let making: Promise<unknown> | undefined
  given.onStep = (id) => {
    making ??= make(second.client, 'contact')
    if (id === second.id) stopping.abort()
  }

  await run()
  await making

  assert.equal(written.at(-1), second.id)
  assert.ok(written.length < stepsLong, `${written.length} transactions`)
})

test('A stop waits for one transaction of a long batch, not for the others', async (t) => {
  const { first, written, given, stopping, run } = await prepare(t)
  await make(first.client, 'contact')
  given.onStep = () => stopping.abort()

  await run()

  assert.deepEqual(written, [first.id])
})

test('What a company brings is dealt with when it has arrived, without another change', async (t) => {
  const { store, second, rebuilt, given, run } = await prepare(t)
  given.isNeeded = false
  await make(second.client, 'contact')
  await run() // it has no position there now
  await make(second.client, 'contact')
  await store.writeAccess((tx) => storeMove(tx, second.id, { state: 'arriving', by: 'an import' }))
  await run()
  given.isNeeded = true
  await store.writeAccess((tx) => storeMove(tx, second.id, undefined))
  rebuilt.length = 0

  await run()

  assert.ok(rebuilt.includes(findWorkspaceId(store.access, second.id, 'live')!))
})
