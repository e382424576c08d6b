import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minuteMs } from '../../src/lib/clock.ts'
import { assertError } from '../support/client.ts'
import { countOf } from '../support/limits.ts'
import { start } from '../support/start.ts'
import { newOwner, signIn, visit } from '../support/visitor.ts'

const email = 'ada@acme.example'

test('After ten wrong passwords in 15 minutes an account is closed, also to the right one, whether or not it exists', async (t) => {
  const server = await start(t)
  await newOwner(server)
  const guess = (address: string) => signIn(visit(server.url), address, 'wrong horse battery')

  const guesses = await Promise.all(Array.from({ length: 12 }, () => guess(email)))
  const unknown = await Promise.all(Array.from({ length: 12 }, () => guess('nobody@acme.example')))

  assert.deepEqual([countOf(guesses, 401), countOf(guesses, 429)], [10, 2])
  assert.deepEqual([countOf(unknown, 401), countOf(unknown, 429)], [10, 2])
  const refused = await signIn(visit(server.url), email)
  assertError(refused, 429, 'RATE_LIMIT_EXCEEDED')
  assert.equal(refused.headers.get('retry-after'), '900')
  server.clock.advance(15 * minuteMs)
  assert.equal((await signIn(visit(server.url), email)).status, 201)
})
