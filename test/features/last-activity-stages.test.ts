import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { listWorkspaceIds } from '../../src/access/company.ts'
import { lastActivity } from '../../src/features/last-activity/last-activity.ts'
import { dayMs, timestamp } from '../../src/lib/clock.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { caughtUp, lastOf } from './last-activity.ts'

async function prepare(t: TestContext) {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const log = async ({ id }: JsonRecord) => {
    server.clock.advance(1_000)
    await make(client, 'activity', { contact_id: id })
    return timestamp(server.clock.now())
  }
  const last = async ({ id }: JsonRecord) => {
    await caughtUp(server)
    return lastOf(client, 'deals', id)
  }
  const turn = ({ id }: JsonRecord, kind: string) => client.patch(`/api-v1-stages/${id}`, { kind })
  return { server, client, log, last, turn }
}

test('A deal in a stage that becomes open has the activities of its contact again, and is not stale', async (t) => {
  const { server, client, log, last, turn } = await prepare(t)
  const stage = await make(client, 'stage', { name: 'Paid', kind: 'won', stale_after_days: 7 })
  const contact = await make(client, 'contact')
  const deal = await make(client, 'deal', { contact_id: contact.id })
  await client.patch(`/api-v1-deals/${deal.id}`, { stage_id: stage.id })
  const closed = await log(contact)
  const whileWon = await last(deal)
  await turn(stage, 'open')
  const turned = await last(deal)
  server.clock.advance(8 * dayMs)
  const stale = async () => (await client.get('/api-v1-deals?is_stale=true')).body.data.length
  const before = await stale()
  const opened = await log(contact)

  assert.deepEqual([whileWon, turned, await last(deal)], [null, closed, opened])
  assert.deepEqual([before, await stale()], [1, 0])
})

test('A deal in a stage that becomes won has only the activities from before it entered the stage', async (t) => {
  const { client, log, last, turn } = await prepare(t)
  const stage = await make(client, 'stage', { name: 'Paid', kind: 'open' })
  const contact = await make(client, 'contact')
  const deal = await make(client, 'deal', { contact_id: contact.id })
  const first = await log(contact)
  await client.patch(`/api-v1-deals/${deal.id}`, { stage_id: stage.id })
  const second = await log(contact)
  const open = await last(deal)
  await turn(stage, 'won')
  const won = await last(deal)
  await log(contact)
  const later = await last(deal)
  await turn(stage, 'lost')

  assert.deepEqual([open, won, later, await last(deal)], [second, first, first, first])
})

test('The hundred newest open deals of a contact are those whose stages are open now', async (t) => {
  const { server, client, log, last, turn } = await prepare(t)
  const stage = await make(client, 'stage', { name: 'Paid', kind: 'open' })
  const contact = await make(client, 'contact')
  const deals: JsonRecord[] = []
  for (let n = 0; n < 102; n++) {
    deals.push(await make(client, 'deal', { contact_id: contact.id, ...(n >= 100 && { stage_id: stage.id }) }))
  }
  const at = await log(contact)
  const counted = async () => {
    await caughtUp(server)
    return Promise.all([0, 1, 2, 101].map((n) => last(deals[n]!)))
  }
  const open = await counted()
  await turn(stage, 'lost')
  const lost = await counted()
  await turn(stage, 'open')

  assert.deepEqual(
    [open, lost, await counted()],
    [
      [null, null, at, at],
      [at, at, at, null],
      [null, null, at, at],
    ],
  )
})

test('Everything follows a stage with many deals, too', async (t) => {
  const { server, client, log, last, turn } = await prepare(t)
  const stage = await make(client, 'stage', { name: 'Paid', kind: 'won' })
  const contact = await make(client, 'contact')
  for (let n = 0; n < 301; n += 7) {
    const some = Array.from({ length: 7 }, () => make(client, 'deal', { stage_id: stage.id, contact_id: contact.id }))
    await Promise.all(some)
  }
  const deal = await make(client, 'deal', { stage_id: stage.id, contact_id: contact.id })
  const at = await log(contact)
  const won = await last(deal)
  await turn(stage, 'open')

  assert.deepEqual([won, await last(deal)], [null, at])
  for (const id of listWorkspaceIds(server.store.access)) {
    assert.deepEqual([...lastActivity.verify(server.store.workspace(id))], [])
  }
})
