import assert from 'node:assert/strict'
import { test } from 'node:test'
import { once } from '../../src/lib/once.ts'

test('What is made once is made again after it has failed, and not after it has succeeded', async () => {
  let runs = 0
  const make = once(() => {
    runs++
    if (runs === 1) throw new Error('no memory')
    return runs
  })

  const failed = await Promise.allSettled([make(), make()])
  const made = await Promise.all([make(), make()])

  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.deepEqual([made, await make(), runs], [[2, 2], 2, 2])
})
