import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Head, Log, Trimmed } from '../../src/cluster/log.ts'
import { Trimmer } from '../../src/cluster/trimmer.ts'

const sizes = { bytesMax: 500, keptBytes: 300, heldBytesMax: 1_000 }

const headAt = (position: number, bytes: number) => ({ position, bytes }) as Head

test('What is kept for a server that begins to copy the database stays when the one before it has joined', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const trimmer = new Trimmer({} as Log, { position: 0, bytes: 0 }, sizes)
  const isKept = () => !trimmer.isTooLarge(headAt(9, 900))
  trimmer.keepFrom(1)
  trimmer.release(1_000)

  trimmer.keepFrom(5)
  trimmer.releaseFor([])
  t.mock.timers.tick(1_000)
  assert.equal(isKept(), true)

  trimmer.release(1_000)
  t.mock.timers.tick(1_000)
  assert.equal(isKept(), false)
})

test('An entry that is larger than what is kept is removed once another one follows it', async () => {
  const removed: number[] = []
  const log = {
    marks: async () => [{ position: 1, bytes: 900 }],
    trim: async (_: Head, { position }: Trimmed) => removed.push(position) > 0,
  } as unknown as Log
  const trimmer = new Trimmer(log, { position: 0, bytes: 0 }, sizes)

  await trimmer.trim(headAt(1, 900))
  assert.deepEqual(removed, [])
  await trimmer.trim(headAt(2, 910))
  assert.deepEqual(removed, [1])
})
