import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ended, submit } from '../support/imports.ts'
import { openProposing, proposals } from './proposing.ts'

test('An undo that takes a job can be neither tried out nor proposed, and the agent learns why', async (t) => {
  const { agent, client } = await openProposing(t)
  const jobs: string[] = []
  for (let batch = 0; batch < 11; batch++) {
    const records = Array.from({ length: 1_000 }, (_, n) => ({ first_name: `Ada ${batch} ${n}` }))
    jobs.push(await submit(client, 'contacts', records, {}, { 'X-Request-Id': 'nightly-sync' }))
  }
  for (const job of jobs) await ended(client, job)
  const { latest_seq } = (await client.get('/api-v1-changes?after=now')).body

  const results = [
    await agent.call('undo', { request_id: 'nightly-sync', dry_run: true }),
    await agent.call('undo', { request_id: 'nightly-sync' }),
  ]

  for (const { error } of results) {
    assert.equal(error.code, 'CONFLICT')
    assert.match(error.message, /can be neither tried out nor proposed: change less at once/)
  }
  assert.equal((await client.get('/api-v1-changes?after=now')).body.latest_seq, latest_seq)
  assert.equal((await client.get(proposals)).body.pagination.total, 0)
})
