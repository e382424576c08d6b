import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { unknownId } from '../support/contract.ts'
import { start } from '../support/start.ts'
import { newOwner, type Visitor } from '../support/visitor.ts'
import { until } from '../support/wait.ts'

const path = '/console/undone-imports'

/** Imports contacts, matched by their email, and waits. Returns the id of the job. */
async function importPeople(of: Visitor, records: object[]): Promise<string> {
  const { job_id } = (await of.post('/api-v1-bulk/contacts', { records, match_on: 'email' })).body.data
  for (;;) if (((await of.get(`/api-v1-bulk/jobs/${job_id}`)).body.data.completed_at !== null) !== null) return job_id
}

test('An import is undone from its undo until that is undone, or its records are restored; those of others are not shown', async (t) => {
  const server = await start(t)
  const [owner, other] = [await newOwner(server), await newOwner(server)]
  const ada = { first_name: 'Ada', emails: [{ email: 'ada@x.example' }] }
  const first = await importPeople(owner, [ada])
  const second = await importPeople(owner, [{ ...ada, job_title: 'CEO' }, { first_name: 'Bo' }])
  const undone = async (of = owner) => (await of.get(`${path}?ids=${first},${second},${unknownId}`)).body.data

  const before = await undone()
  const { headers } = await owner.post('/api-v1-undo', { bulk_job_id: second })
  const after = [await undone(), await undone(other)]
  await owner.post('/api-v1-undo', { request_id: headers.get('x-request-id') })
  const redone = await undone()
  await owner.post('/api-v1-undo', { bulk_job_id: first, force: true })

  assert.deepEqual([before, ...after, redone], [[], [second], [], []])
  assert.deepEqual(await undone(), [first])
  assertError(await owner.get(`${path}?ids=no`), 400, 'VALIDATION_ERROR')
})

test('An import is not undone while any of its records is kept, also if the first and the last one were undone alone', async (t) => {
  const owner = await newOwner(await start(t))
  const job = await importPeople(owner, [{ first_name: 'Ada' }, { first_name: 'Bo' }, { first_name: 'Cy' }])
  const { data: created } = (await owner.get('/api-v1-changes')).body
  const seqs = created
    .filter(({ type }: { type: string }) => type === 'contact.created')
    .map(({ seq }: { seq: number }) => seq)
  const undone = async () => (await owner.get(`${path}?ids=${job}`)).body.data

  for (const seq of [seqs[0], seqs[2]]) await owner.post('/api-v1-undo', { seq })
  const partly = await undone()
  await owner.post('/api-v1-undo', { bulk_job_id: job })

  assert.deepEqual([seqs.length, partly], [3, []])
  assert.deepEqual(await undone(), [job])
})

test('An import of line items is undone although their deal has changed since', async (t) => {
  const owner = await newOwner(await start(t))
  const deal = (await owner.post('/api-v1-deals', { title: 'Hampers' })).body.data
  const records = [1, 2].map((quantity) => ({ deal_id: deal.id, name: 'Hamper', quantity, unit_price: 5 }))
  const { job_id } = (await owner.post('/api-v1-bulk/line-items', { records })).body.data
  await until(
    'the import has ended',
    async () => (await owner.get(`/api-v1-bulk/jobs/${job_id}`)).body.data.completed_at,
  )

  await owner.post('/api-v1-undo', { bulk_job_id: job_id })
  await owner.patch(`/api-v1-deals/${deal.id}`, { title: 'Baskets' })

  assert.deepEqual((await owner.get(`${path}?ids=${job_id}`)).body.data, [job_id])
})
