import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handOver } from '../../src/cluster/hand-over.ts'

/** Hands over, after commits that leave these numbers of frames. Returns what was done, in its order. */
async function handOverWith(frames: number[]): Promise<{ done: string[]; failure: unknown }> {
  const done: string[] = []
  const does = (what: string) => async () => void done.push(what)
  const place = {
    update: (change: { leading?: null }) => 'leading' in change && done.push('stored'),
    file: { firstPage() {} },
  }
  const leading = {
    shipper: { head: { position: 1 } },
    writer: { mark: () => done.push('marked'), sync: does('synced') },
    checkpoints: { whileShipped: async (run: () => number) => run() },
    countFrames: () => frames.shift(),
  }
  const asked = handOver({ place, log: { resign: does('resigned') } } as never, leading as never)
  return { failure: await asked.catch((error) => error), done }
}

test('A server that ends keeps the lead if another process has written what is not in the log', async () => {
  const { done, failure } = await handOverWith([7, 9])

  assert.match(String(failure), /Another process has written/)
  assert.ok(!done.includes('resigned'))
})

test('A server that ends stores that it follows from its position on only when that is on disk', async () => {
  const { done } = await handOverWith([7, 8])

  assert.deepEqual(done, ['marked', 'synced', 'stored', 'resigned'])
})
