import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listWorkspaceIds } from '../../src/access/company.ts'
import { ChangeHub } from '../../src/changes/hub.ts'
import { unavailable } from '../../src/store/constraint.ts'
import type { Store } from '../../src/store/store.ts'
import { errorsLogged } from '../support/errors-logged.ts'
import { start } from '../support/start.ts'
import { until } from '../support/wait.ts'

test('While the database cannot be read, the log has one line for all who wait for changes', async (t) => {
  const { store, company } = await start(t)
  await company('Acme')
  await company('Nordwind')
  const logged = await errorsLogged(t)
  let [failing, reads, version]: [number[], number, number] = [[], 0, 0]
  const unsteady = {
    listen() {},
    get accessVersion() {
      return version++
    },
    workspace(id: number) {
      reads++
      if (failing.includes(id)) throw unavailable('The database is not available right now')
      return store.workspace(id)
    },
  }
  const hub = new ChangeHub(unsteady as unknown as Store, 10)
  const ids = listWorkspaceIds(store.access)
  const ends = ids.map((workspaceId) => hub.watch({ workspaceId, latest: Number.MAX_SAFE_INTEGER, wake() {} }))
  t.after(() => ends.forEach((end) => void end()))
  const checked = async (now: number[]) => {
    failing = now
    reads = 0
    await until('each workspace was read several times', () => reads, { is: (count) => count > 4 * ids.length })
    return logged('changes of other processes could not be read')
  }

  const all = await checked(ids)
  await checked([])
  const one = await checked(ids.slice(1, 2))

  assert.ok(ids.length > 2)
  assert.deepEqual({ all, one }, { all: 1, one: 2 })
})
