import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timestamp } from '../../src/lib/clock.ts'
import type { SlowStatement } from '../../src/store/slow.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { caughtUp, lastOf } from './last-activity.ts'

test('An activity of anybody on a deal counts for it, from when the person is on it until that ends', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const [first, second] = [await make(client, 'contact'), await make(client, 'contact')]
  const deal = await make(client, 'deal', { contact_id: first.id })
  const path = `/api-v1-deals/${deal.id}/contacts/${second.id}`
  const seen: (string | null)[] = []
  const look = async () => {
    await caughtUp(server)
    seen.push(await lastOf(client, 'deals', deal.id))
  }
  const log = async (contact_id: string) => {
    server.clock.advance(1_000)
    await make(client, 'activity', { contact_id })
  }

  await log(second.id)
  await look()
  await client.put(path, { role: 'Buyer' })
  await look()
  await log(first.id)
  await look()
  await log(second.id)
  await look()
  await client.delete(path)
  await look()
  await client.delete(`/api-v1-deals/${deal.id}/contacts/${first.id}`)
  await look()

  const at = (seconds: number) => timestamp(Date.parse('2026-06-15T12:00:00.000Z') + seconds * 1_000)
  assert.deepEqual(seen, [null, at(1), at(2), at(3), at(2), null])
})

test('The deals of a person are looked up by their ids, not searched among all deals', async (t) => {
  const slow: SlowStatement[] = []
  const server = await start(t, { slow: { ms: 0, report: (statement) => slow.push(statement) } })
  const { client } = await server.company('Acme')
  const { id } = await make(client, 'contact')
  for (let n = 0; n < 3; n++) await make(client, 'deal', { contact_id: id })
  await make(client, 'activity', { contact_id: id })
  await caughtUp(server)

  const plans = slow.filter(({ sql }) => sql.includes('AS newer')).flatMap(({ plan }) => plan)
  const steps = plans.filter((step) => step.includes('newer'))
  assert.ok(steps.length > 0)
  for (const step of steps) assert.match(step, /^SEARCH newer USING .* AND id=\?/)
})
