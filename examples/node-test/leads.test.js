import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startSandbox } from 'kontor/test'
import { saveLead } from '../app/leads.js'

const sandbox = await startSandbox({ now: '2026-01-05T09:00:00Z' })

beforeEach(() => sandbox.reset())
after(() => sandbox.close())

test('A lead is stored once, although the first response is lost', async () => {
  await sandbox.faults.set([{ match: { path: '/api-v1-deals' }, do: { reset_after_commit: true }, times: 1 }])

  await saveLead(sandbox, 'Christmas hampers')

  const deals = await (await sandbox.fetch('/api-v1-deals')).json()
  assert.equal(deals.pagination.total, 1)
  assert.equal(await sandbox.requests.count({ method: 'POST' }), 2)
})

test('A lead is announced to webhooks', async () => {
  await sandbox.fetch('/api-v1-webhooks', { json: { url: 'kontor:inbox', events: ['deal.created'] } })

  const lead = await saveLead(sandbox, 'Christmas hampers')

  const [delivery] = await sandbox.inbox.list({ type: 'deal.created', wait: 5 })
  assert.equal(delivery.body.data.id, lead.id)
})

test('Leads are refused once the key has expired', async () => {
  const json = { name: 'Form', scopes: ['write:all'], expires_at: '2026-02-01T00:00:00Z' }
  const { data } = await (await sandbox.fetch('/api-v1-keys', { json })).json()
  const form = { url: sandbox.url, key: data.key }
  await saveLead(form, 'Christmas hampers')

  await sandbox.clock.advance('P30D')

  await assert.rejects(saveLead(form, 'Easter hampers'), /API_KEY_EXPIRED/)
})
