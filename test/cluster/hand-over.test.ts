import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handOver } from '../../src/cluster/hand-over.ts'

test('A server that ends keeps the lead if another process has written what is not in the log', async () => {
  let hasResigned = false
  const resign = async () => {
    hasResigned = true
  }
  const place = { update() {}, file: { firstPage() {} } }
  const frames = [7, 9]
  const leading = {
    ...{ shipper: { head: { position: 1 } }, writer: { mark() {} } },
    checkpoints: { whileShipped: async (run: () => number) => run() },
    countFrames: () => frames.shift(),
  }

  await assert.rejects(handOver({ place, log: { resign } } as never, leading as never), /Another process has written/)

  assert.equal(hasResigned, false)
})
