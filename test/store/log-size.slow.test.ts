import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fillLog, saltOf } from '../support/log-file.ts'
import { serve } from '../support/serve.ts'

/** Kontor truncates a larger file. */
const largeBytes = 64 * 2 ** 20

test('While much is written, the write-ahead log begins anew without being truncated; afterwards it is truncated', {
  timeout: 120_000,
}, async (t) => {
  const { path, client: newClient } = await serve(t, { work: 'thread' })
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
  while (sizeOf() > 0) await delay(50)
})
