import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Attempts } from '../../src/access/attempts.ts'
import { minuteMs } from '../../src/lib/clock.ts'
import { FakeClock } from '../support/clock.ts'

const refused = { code: 'RATE_LIMIT_EXCEEDED' }

test('Attempts end at the limit of any of their names, and begin anew after 15 minutes', () => {
  const clock = new FakeClock()
  const attempts = new Attempts(clock)
  for (let n = 0; n < 3; n++) attempts.begin({ 'address a': 3, [`account ${n}`]: 1 })

  assert.throws(() => attempts.begin({ 'address a': 3 }), { ...refused, headers: { 'Retry-After': '900' } })
  assert.throws(() => attempts.begin({ 'address b': 3, 'account 0': 1 }), refused)
  attempts.begin({ 'address b': 1 }) // what is refused is not counted
  clock.advance(15 * minuteMs)
  attempts.begin({ 'address a': 3, 'account 0': 1 })
})

test('A success forgets what was tried on the account, and takes itself back from the address', () => {
  const attempts = new Attempts(new FakeClock())
  const sign = () => attempts.begin({ address: 2, account: 2 })
  for (let n = 0; n < 10; n++) {
    sign()
    attempts.forget('account')
    attempts.takeBack('address')
  }
  sign()
  sign()

  assert.throws(sign, refused)
})

test('Many names crowd out the oldest instead of filling the memory', () => {
  const attempts = new Attempts(new FakeClock())
  attempts.begin({ first: 1 })
  for (let n = 0; n < 20_000; n++) attempts.begin({ [`name ${n}`]: 1 })

  attempts.begin({ first: 1 })
})
