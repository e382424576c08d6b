import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Progress } from '../../src/cluster/progress.ts'
import { turn } from '../support/wait.ts'

const waits = 20_000

test('A reader that has waited in vain leaves nothing behind', async () => {
  const progress = new Progress()
  const waitInVain = async () => {
    const reached = await Promise.all(Array.from({ length: waits }, () => progress.reach(() => false, 1)))
    assert.ok(reached.every((each) => !each))
  }
  await waitInVain() // what is allocated once
  const before = await memoryUsed()

  await waitInVain()

  const bytes = ((await memoryUsed()) - before) / waits
  assert.ok(bytes < 100, `${bytes} bytes for each`)
  progress.note() // not collected before
})

async function memoryUsed(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let round = 0; round < 3; round++) {
    await turn() // what has ended is given up in later turns
    collect()
  }
  return process.memoryUsage().heapUsed
}
