import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs } from '../../src/lib/clock.ts'
import { SteadyTime } from '../../src/lib/steady-time.ts'
import { newestChangeMs, pruneLogs, sweep } from '../../src/threads/sweep.ts'
import { contacts, importAll } from '../support/imports.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

const hourMs = dayMs / 24
const keepMs = 7 * dayMs

test('A clock that is a year ahead at one sweep, or at the start, removes no changes and no jobs', async (t) => {
  const { store, clock, company } = await start(t)
  const { client } = await company('Acme')
  await importAll(client, 'contacts', contacts(3))
  await make(client, 'task')
  const counted = async () => {
    const changes = await client.get('/api-v1-changes')
    const jobs = await client.get('/api-v1-bulk/jobs')
    return [changes.body.oldest_seq, jobs.body.pagination.total]
  }
  const sweepNow = async (time: SteadyTime) => {
    const options = { nowMs: time.next() }
    await sweep(store, options)
    await pruneLogs(store, keepMs, options)
  }
  const time = new SteadyTime(clock, await newestChangeMs(store))
  const before = await counted()

  await sweepNow(time)
  clock.advance(hourMs)
  clock.jump(365 * dayMs)
  await sweepNow(time)
  await sweepNow(new SteadyTime(clock, await newestChangeMs(store))) // a server that starts
  clock.jump(-365 * dayMs)
  clock.advance(hourMs)
  await sweepNow(time)

  assert.deepEqual(await counted(), before)
  clock.advance(31 * dayMs)
  await sweepNow(time)
  const [oldest, jobs] = await counted()
  assert.ok(oldest > before[0], 'what is old is removed')
  assert.equal(jobs, 0)
})
