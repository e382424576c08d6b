import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writePart } from '../../src/commands/company/remove-company.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { noDurability } from '../../src/store/durability.ts'
import { openConnection } from '../../src/store/open.ts'
import { Store } from '../../src/store/store.ts'

const partMs = 60

test('After each part of a company that is moved, others can write for as long as it took', async () => {
  const db = openConnection(':memory:', { busyTimeoutMs: 0, synchronous: 'NORMAL', create: true })
  const store = new Store({ db, clock: systemClock, durability: noDurability })
  const begin = performance.now()

  await writePart(store, () => {
    while (performance.now() - begin < partMs);
  })

  assert.ok(performance.now() - begin >= 2 * partMs)
  await store.close()
})
