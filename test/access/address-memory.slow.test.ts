import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { RateLimiter } from '../../src/access/rate-limit.ts'
import { start } from '../support/start.ts'

test('A flood of addresses takes a few MiB of memory, and does not reset the limit of an active address', async (t) => {
  const { store } = await start(t)
  const limiter = new RateLimiter(store, { enforced: true })
  const ask = (address: string) => limiter.admitAddress(address, [])
  const before = memoryUsed()
  for (let n = 0; n < 300; n++) ask('192.0.2.1')

  for (let n = 0; n < 60_000; n++) {
    for (let again = 0; again < 10; again++) ask(`2001:db8:${(n >> 12).toString(16)}:${(n & 0xfff).toString(16)}::1`)
    if (n % 1_000 === 0) assert.equal(ask('192.0.2.1')?.code, 'RATE_LIMIT_EXCEEDED')
  }

  assert.ok(memoryUsed() - before < 8, 'MiB')
  assert.equal(ask('192.0.2.1')?.code, 'RATE_LIMIT_EXCEEDED') // called after the measurement, so that it is not collected before
})

/** The memory in use by V8 and by buffers, in MiB. */
function memoryUsed(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  for (let round = 0; round < 2; round++) collect() // what finalizers release is collected in the second round
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}
