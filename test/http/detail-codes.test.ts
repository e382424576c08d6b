import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

test('The same mistake has the same detail code in a body, a filter and a parameter', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const { id } = await make(client, 'webhook')
  const { id: merged } = await make(client, 'organization')
  const merge = `/api-v1-organizations/${merged}/merge`
  const many = Array.from({ length: 11 }, (_, n) => `0190a2b4-9396-7000-8000-0000000000${10 + n}`)

  for (const [code, path, body] of [
    ['INVALID_VALUE', '/api-v1-organizations', { name: 'Acme', status: 'gone' }],
    ['INVALID_VALUE', '/api-v1-organizations?status=gone'],
    ['INVALID_VALUE', '/api-v1-organizations?status[in]=lead,gone'],
    ['INVALID_VALUE', '/api-v1-changes?payload=gone'],
    ['INVALID_VALUE', '/api-v1-trash?type=gone'],
    ['INVALID_VALUE', `/api-v1-webhooks/${id}/deliveries?type=gone`],
    ['INVALID_FORMAT', '/api-v1-deals', { title: 'x', organization_id: 'gone' }],
    ['INVALID_FORMAT', '/api-v1-deals?organization_id=gone'],
    ['INVALID_FORMAT', '/api-v1-deals?view=gone'],
    ['INVALID_FORMAT', '/api-v1-changes?record_id=gone'],
    ['INVALID_FORMAT', '/api-v1-changes?after=gone'],
    ['INVALID_FORMAT', '/api-v1-undo', { bulk_job_id: 'gone' }],
    ['INVALID_FORMAT', merge, { with: ['gone'] }],
    ['INVALID_FORMAT', '/api-v1-deals', { title: 'x', expected_close_date: 'soon' }],
    ['INVALID_FORMAT', '/api-v1-deals?expected_close_date=soon'],
    ['INVALID_FORMAT', `/api-v1-deals/${merged}?as_of=soon`],
    ['INVALID_FORMAT', '/api-v1-undo', { key_id: merged, since: 'soon' }],
    ['INVALID_FORMAT', '/api-v1-deals/summary?group_by=created_at:period&periods=soon,later'],
    ['INVALID_FORMAT', '/api-v1-deals?value=many'],
    ['INVALID_FORMAT', '/api-v1-deals?limit=many'],
    ['INVALID_FORMAT', '/api-v1-deals?page=1.5'],
    ['INVALID_FORMAT', '/api-v1-changes?wait=long'],
    ['INVALID_FORMAT', '/api-v1-search?q=x&limit=many'],
    ['INVALID_TYPE', '/api-v1-deals', { title: 'x', value: '5' }],
    ['INVALID_TYPE', '/api-v1-undo', { seq: '5' }],
    ['INVALID_TYPE', '/api-v1-undo', { bulk_job_id: 5 }],
    ['INVALID_TYPE', merge, { with: [5] }],
    ['INVALID_TYPE', `/api-v1-webhooks/${id}/rotate`, { overlap_hours: '5' }],
    ['OUT_OF_RANGE', '/api-v1-deals', { title: 'x', probability: 101 }],
    ['OUT_OF_RANGE', '/api-v1-deals?limit=0'],
    ['OUT_OF_RANGE', '/api-v1-deals?page=-1'],
    ['OUT_OF_RANGE', '/api-v1-changes?limit=0'],
    ['OUT_OF_RANGE', '/api-v1-changes?wait=-1'],
    ['OUT_OF_RANGE', '/api-v1-search?q=x&limit=-1'],
    ['OUT_OF_RANGE', '/api-v1-undo', { seq: 0 }],
    ['OUT_OF_RANGE', `/api-v1-webhooks/${id}/rotate`, { overlap_hours: 169 }],
    ['OUT_OF_RANGE', `/api-v1-webhooks/${id}/replay`, { after: -1 }],
    ['TOO_LONG', merge, { with: many }],
    ['TOO_LONG', `/api-v1-organizations?id[in]=${Array(101).fill(merged).join()}`],
    ['TOO_LONG', '/api-v1-organizations', { name: 'x'.repeat(501) }],
    ['TOO_LONG', '/api-v1-undo', { request_id: 'x'.repeat(129) }],
  ] as const) {
    const response = body ? await client.post(path, body) : await client.get(path)

    assertError(response, 400, 'VALIDATION_ERROR')
    assert.equal(response.body.error.details[0].code, code, `${path} ${JSON.stringify(body)}`)
  }
})
