import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HashClient, HashQueue } from '../../src/access/hash-queue.ts'
import { turn } from '../support/wait.ts'

const refused = { code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '5' } }

/** A queue whose hashes end one by one when the test ends them. */
class Bench {
  readonly queue = new HashQueue()
  readonly begun: string[] = []
  readonly #ends: (() => void)[] = []

  ask(name: string, address: string, isKnown = false): Promise<void> {
    const client: HashClient = { address, isKnown }
    return this.queue.run(client, () => {
      this.begun.push(name)
      return new Promise<void>((resolve) => this.#ends.push(resolve))
    })
  }

  /** Starts as many hashes as can run at a time. */
  async occupy(): Promise<void> {
    for (const name of ['first', 'second']) void this.ask(name, name)
    await turn()
    this.begun.length = 0
  }

  async endNext(times = 1): Promise<void> {
    for (let n = 0; n < times; n++) {
      this.#ends.shift()!()
      await turn()
    }
  }
}

test('Two hashes run at a time, and addresses take turns', async () => {
  const bench = new Bench()
  await bench.occupy()
  for (const n of [1, 2, 3]) void bench.ask(`a${n}`, 'a')
  for (const n of [1, 2]) void bench.ask(`b${n}`, 'b')
  void bench.ask('c1', 'c')
  await turn()
  assert.deepEqual(bench.begun, [])

  await bench.endNext(6)

  assert.deepEqual(bench.begun, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('Known addresses get every second turn, however many unknown addresses wait', async () => {
  const bench = new Bench()
  await bench.occupy()
  for (let n = 0; n < 80; n++) void bench.ask(`unknown ${n}`, `${n}`)
  for (const n of [1, 2]) void bench.ask(`known ${n}`, 'home', true)

  await bench.endNext(4)

  assert.equal(bench.begun.filter((name) => name.startsWith('known')).length, 2)
})

test('An address with 16 waiting is rejected, other addresses are not', async () => {
  const bench = new Bench()
  await bench.occupy()
  for (let n = 0; n < 16; n++) void bench.ask('flood', 'a')

  await assert.rejects(bench.ask('flood', 'a'), refused)
  void bench.ask('other', 'b')
  await bench.endNext(2)

  assert.deepEqual(bench.begun, ['flood', 'other'])
})

test('If 80 addresses fill the queue, another address replaces one of the address with the most waiting', async () => {
  const bench = new Bench()
  await bench.occupy()
  const flood = Array.from({ length: 80 * 16 }, (_, n) => bench.ask('flood', `${n % 80}`).catch((error) => error.code))

  void bench.ask('member', 'new')
  await turn()
  const [crowdedOut] = await Promise.race([Promise.all(flood.slice(-1)), turn().then(() => [])])
  await bench.endNext(81)

  assert.equal(crowdedOut, 'SERVICE_UNAVAILABLE')
  assert.ok(bench.begun.includes('member'))
})

test('If 500 unknown addresses have one waiting each, the next unknown one is rejected, but not a known one', async () => {
  const bench = new Bench()
  await bench.occupy()
  for (let n = 0; n < 500; n++) void bench.ask('flood', `${n}`)

  await assert.rejects(bench.ask('late', 'late'), refused)
  void bench.ask('known', 'home', true)
  await bench.endNext(2)

  assert.ok(bench.begun.includes('known'))
})

test('A hash that fails releases its place', async () => {
  const queue = new HashQueue()
  const failing = () => queue.run({ address: 'a', isKnown: false }, () => Promise.reject(new Error('broken')))

  for (let n = 0; n < 5; n++) await assert.rejects(failing(), /broken/)
  assert.equal(await queue.run({ address: 'a', isKnown: false }, async () => 'done'), 'done')
})
