import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { test } from 'node:test'
import { start } from '../support/start.ts'
import { until } from '../support/wait.ts'
import { fillLog, saltOf } from './log-file.ts'

/** Kontor truncates a larger file. */
const largeBytes = 64 * 2 ** 20

test('While much is written, the write-ahead log begins anew without being truncated; afterwards it is truncated', {
  timeout: 220_000,
}, async (t) => {
  const { path, client: newClient } = await start(t, { work: 'thread' })
  const client = await newClient()
  const sizeOf = () => statSync(`${path}-wal`).size
  const sizes: number[] = []
  const salts = new Set<string>()

  while (salts.size < 3 || sizeOf() <= largeBytes) {
    await fillLog(client)
    sizes.push(sizeOf())
    salts.add(saltOf(path))
  }

  assert.deepEqual(
    sizes,
    sizes.toSorted((a, b) => a - b),
  )
  await until('the log is truncated', sizeOf, { is: (bytes) => bytes === 0, limitMs: 60_000 })
})
