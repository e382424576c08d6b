import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Attempts } from '../../src/access/attempts.ts'
import { schema } from '../../src/commands/open-store.ts'
import { minuteMs } from '../../src/lib/clock.ts'
import { noDurability } from '../../src/store/durability.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openConnection } from '../../src/store/open.ts'
import { Store } from '../../src/store/store.ts'
import { FakeClock } from '../support/clock.ts'
import { turn } from '../support/wait.ts'

const refused = { code: 'RATE_LIMIT_EXCEEDED' }

function newStore(): { store: Store; clock: FakeClock } {
  const db = openConnection(':memory:', { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  migrate(db, schema.schema, schema.steps)
  const clock = new FakeClock()
  const store = new Store({ db, clock, durability: noDurability })
  return { store, clock }
}

/** Creates the counters that a restarted process would have. */
async function restart(store: Store): Promise<Attempts> {
  await store.confirm()
  return new Attempts(store)
}

test('Attempts are rejected at the limit of any of their names, until 15 minutes have passed', () => {
  const { store, clock } = newStore()
  const attempts = new Attempts(store)
  for (let n = 0; n < 3; n++) attempts.begin({ 'address a': 3, [`account ${n}`]: 1 })

  assert.throws(() => attempts.begin({ 'address a': 3 }), { ...refused, headers: { 'Retry-After': '900' } })
  assert.throws(() => attempts.begin({ 'address b': 3, 'account 0': 1 }), refused)
  attempts.begin({ 'address b': 1 }) // a rejected attempt is not counted
  clock.advance(15 * minuteMs)
  attempts.begin({ 'address a': 3, 'account 0': 1 })
})

test('A success removes its own attempt and no other', () => {
  const attempts = new Attempts(newStore().store)
  attempts.begin({ account: 2 })
  for (let n = 0; n < 10; n++) {
    attempts.begin({ account: 2 })
    attempts.takeBack(['account'])
  }
  attempts.begin({ account: 2 })

  assert.throws(() => attempts.begin({ account: 2 }), refused)
})

test('No counter is dropped early, however many other names are tried', () => {
  const attempts = new Attempts(newStore().store)
  attempts.begin({ first: 1 })
  for (let n = 0; n < 30_000; n++) attempts.begin({ [`name ${n}`]: 1 })

  assert.throws(() => attempts.begin({ first: 1 }), refused)
})

test('At the limit of counters, new names are rejected until old ones have expired', () => {
  const { store, clock } = newStore()
  const attempts = new Attempts(store)
  const names = Array.from({ length: 100_000 }, (_, n): [string, number] => [`name ${n}`, 1])
  attempts.begin(Object.fromEntries(names))

  assert.throws(() => attempts.begin({ more: 1 }), { code: 'SERVICE_UNAVAILABLE' })
  clock.advance(15 * minuteMs)
  attempts.begin({ more: 1 })
})

test('Many counters are written in parts, between which others write', async () => {
  const { store } = newStore()
  const names = Array.from({ length: 5_000 }, (_, n): [string, number] => [`name ${n}`, 1])
  new Attempts(store).begin(Object.fromEntries(names))

  for (let n = 0; n < 3; n++) await store.confirm()

  assert.ok(store.access.value<number>('SELECT count(*) FROM sign_in_attempt')! < names.length / 2)
})

test('Attempts survive a restart, which does not restart the 15 minutes', async () => {
  const { store, clock } = newStore()
  new Attempts(store).begin({ account: 1 })
  clock.advance(10 * minuteMs)

  const attempts = await restart(store)

  assert.throws(() => attempts.begin({ account: 1 }), { ...refused, headers: { 'Retry-After': '300' } })
  clock.advance(5 * minuteMs)
  attempts.begin({ account: 1 })
})

test('An attempt that succeeded does not count after a restart', async () => {
  const { store } = newStore()
  const attempts = new Attempts(store)
  attempts.begin({ account: 1 })
  await store.confirm()
  attempts.takeBack(['account'])

  const restarted = await restart(store)

  restarted.begin({ account: 1 })
})

for (const [how, ms] of [
  ['forward', 3_600_000],
  ['back', -3_600_000],
] as const) {
  test(`A clock that is set ${how} neither ends nor extends a window, also at a restart`, async () => {
    const { store, clock } = newStore()
    const attempts = new Attempts(store)
    attempts.begin({ account: 1 })
    clock.jump(ms)

    assert.throws(() => attempts.begin({ account: 1 }), { ...refused, headers: { 'Retry-After': '900' } })
    const restarted = await restart(store)
    assert.throws(() => restarted.begin({ account: 1 }), { ...refused, headers: { 'Retry-After': '900' } })
    clock.advance(10 * minuteMs)
    const again = await restart(store)
    clock.advance(5 * minuteMs)
    for (const each of [attempts, restarted, again]) each.begin({ account: 1 })
  })
}

test('The database does not contain the text of attempts', async () => {
  const { store } = newStore()
  new Attempts(store).begin({ 'account my password': 1 })
  await store.confirm()

  const stored = store.access.rows<{ name: string }>('SELECT * FROM sign_in_attempt')

  assert.equal(stored.length, 1)
  assert.match(stored[0]!.name, /^[0-9a-f]{64}$/)
})

test('Attempts whose write failed are written with the next', async () => {
  const { store } = newStore()
  const attempts = new Attempts(store)
  const { writeUsage } = store
  store.writeUsage = () => Promise.reject(new Error('the disk is full'))
  attempts.begin({ account: 1 })
  await turn()
  store.writeUsage = writeUsage
  attempts.begin({ other: 1 })

  const restarted = await restart(store)
  assert.throws(() => restarted.begin({ account: 1 }), refused)
})
