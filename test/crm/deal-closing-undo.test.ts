import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs } from '../../src/lib/clock.ts'
import { newestOf } from '../support/changes.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { closedAt, move, open } from './closing.ts'

test('A deal that was moved and deleted by one request has its former time of closing when that is undone', async (t) => {
  const server = await start(t)
  const { client, stage } = await open(server)
  const lead = await make(client, 'deal', { title: 'Hampers', ...stage('Lead') })
  const won = await make(client, 'deal', { title: 'Baskets', ...stage('Won') })
  const former = await closedAt(client, won.id)
  server.clock.advance(dayMs)
  const visit = { 'X-Request-Id': 'visit' }
  for (const [{ id }, to] of [
    [lead, 'Won'],
    [won, 'Lost'],
  ] as const) {
    await client.patch(`/api-v1-deals/${id}`, stage(to), visit)
    await client.delete(`/api-v1-deals/${id}`, visit)
  }

  const { body } = await client.post('/api-v1-undo', { request_id: 'visit' })

  assert.equal(body.data.reversed.length, 2)
  assert.deepEqual([await closedAt(client, lead.id), await closedAt(client, won.id)], [null, former])
})

test('An undo restores when a deal was closed', async (t) => {
  const server = await start(t)
  const { client, stage } = await open(server)
  const { id } = await make(client, 'deal', { title: 'Hampers' })
  await move(client, id, stage('Won'))
  const won = await closedAt(client, id)
  const undo = async () => client.post('/api-v1-undo', { seq: await newestOf(client, id) })

  for (const change of [stage('Lead'), stage('Lost'), { ...stage('Proposal'), probability: 5 }]) {
    server.clock.advance(dayMs)
    await move(client, id, change)
    server.clock.advance(dayMs)
    const { body } = await undo()
    assert.equal(body.data.reversed.length, 1)
    assert.ok(!body.data.reversed[0].fields.includes('closed_at'))
    assert.equal(await closedAt(client, id), won)
  }
  await undo()
  assert.equal(await closedAt(client, id), null, 'the undo of an undo')

  await undo()
  await client.delete(`/api-v1-deals/${id}`)
  await undo()
  assert.equal(await closedAt(client, id), won, 'a deal that was deleted and restored')
})

test('An undo closes a deal whose former stage is won by now, and none whose former stage is open by now', async (t) => {
  const server = await start(t)
  const { client, stage } = await open(server)
  const setKind = async (name: string, kind: string) =>
    assert.equal((await client.patch(`/api-v1-stages/${stage(name).stage_id}`, { kind })).status, 200)
  const [left, entered] = [
    await make(client, 'deal', { title: 'Left', ...stage('Paid') }),
    await make(client, 'deal', { title: 'Entered', ...stage('Proposal') }),
  ]
  await move(client, left.id, stage('Lead'))
  await move(client, entered.id, stage('Lead'))
  await setKind('Paid', 'open')
  await setKind('Proposal', 'won')
  server.clock.advance(dayMs)

  for (const { id } of [left, entered]) {
    const { body } = await client.post('/api-v1-undo', { seq: await newestOf(client, id) })
    assert.equal(body.data.reversed.length, 1, JSON.stringify(body))
  }
  assert.deepEqual(
    [await closedAt(client, left.id), await closedAt(client, entered.id)],
    [null, '2026-06-16T12:00:00.000Z'],
  )
})
