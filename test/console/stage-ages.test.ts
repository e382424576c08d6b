import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { newColleague, newOwner } from '../support/visitor.ts'

const day = 86_400_000

test('The console learns since when deals are in their stages, and which are stale', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const { data: stages } = (await owner.get('/api-v1-stages')).body
  await owner.patch(`/api-v1-stages/${stages[1].id}`, { stale_after_days: 7 })
  const deals = [await make(owner, 'deal', { title: 'Old' }), await make(owner, 'deal', { title: 'Moved' })]
  const entered = server.clock.now()
  server.clock.advance(day)
  await owner.patch(`/api-v1-deals/${deals[1].id}/stage`, { stage_id: stages[1].id })
  server.clock.advance(8 * day)

  const path = `/console/stage-ages?${deals.map(({ id }) => `id=${id}`).join('&')}`
  const { status, body } = await owner.get(path)

  assert.equal(status, 200)
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
  assert.deepEqual(body.data.toSorted(byId), [
    { id: deals[0].id, entered_at: new Date(entered).toISOString(), is_stale: false },
    { id: deals[1].id, entered_at: new Date(entered + day).toISOString(), is_stale: true },
  ])
  const stranger = await newOwner(server)
  assert.deepEqual((await stranger.get(path)).body.data, [], 'deals of another company')
  const member = await newColleague(server, 'member')
  for (const query of ['', '?id=1', `?${'id=x&'.repeat(101)}`])
    assertError(await member.get(`/console/stage-ages${query}`), 400, 'INVALID_REQUEST')
})
