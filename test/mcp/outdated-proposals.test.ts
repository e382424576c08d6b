import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readChanges } from '../support/changes.ts'
import { assertError } from '../support/client.ts'
import { make } from '../support/make.ts'
import { openProposing, proposals } from './proposing.ts'

test('A proposal whose record has changed since is refused, unless the user insists', async (t) => {
  const { client, propose, user } = await openProposing(t)
  const contact = await make(client, 'contact', { first_name: 'Ada', job_title: 'CTO', last_name: 'Weber' })
  const { id } = await propose('save_record', { type: 'contact', id: contact.id, values: { job_title: 'CEO' } })

  await client.patch(`/api-v1-contacts/${contact.id}`, { last_name: 'Miller' })
  const other = await propose('save_record', { type: 'contact', id: contact.id, values: { last_name: 'Wilson' } })
  await client.patch(`/api-v1-contacts/${contact.id}`, { job_title: 'CFO' })
  const refused = await user.post(`${proposals}/${id}/apply`)
  const fine = await user.post(`${proposals}/${other.id}/apply`)
  const forced = await user.post(`${proposals}/${id}/apply`, { force: true })

  assertError(refused, 409, 'CONFLICT')
  assert.deepEqual([fine.status, forced.status], [200, 200])
  const { data } = (await client.get(`/api-v1-contacts/${contact.id}`)).body
  assert.deepEqual([data.job_title, data.last_name], ['CEO', 'Wilson'])
})

test('A proposal to delete a record is refused if the record has changed since', async (t) => {
  const { client, propose, user } = await openProposing(t)
  const contact = await make(client, 'contact', { first_name: 'Ada' })
  const { id } = await propose('delete_record', { type: 'contact', id: contact.id })

  await client.patch(`/api-v1-contacts/${contact.id}`, { first_name: 'Grace' })

  assertError(await user.post(`${proposals}/${id}/apply`), 409, 'CONFLICT')
  assert.equal((await user.post(`${proposals}/${id}/apply`, { force: true })).status, 200)
  assert.equal((await client.get(`/api-v1-contacts/${contact.id}`)).status, 404)
})

test('Of a proposal to save a record, a user can apply some of the fields', async (t) => {
  const { client, propose, user } = await openProposing(t)
  const contact = await make(client, 'contact', { first_name: 'Ada', last_name: 'Weber' })
  const values = { job_title: 'CEO', last_name: 'Wilson' }
  const { id } = await propose('save_record', { type: 'contact', id: contact.id, values })

  const unknown = await user.post(`${proposals}/${id}/apply`, { fields: ['phone'] })
  await user.post(`${proposals}/${id}/apply`, { fields: ['job_title'] })

  assertError(unknown, 400, 'VALIDATION_ERROR', undefined, ['fields'])
  const { data } = (await client.get(`/api-v1-contacts/${contact.id}`)).body
  assert.deepEqual([data.job_title, data.last_name], ['CEO', 'Weber'])
})

test('Some of the fields can be applied as long as these are the same, also if the others make it another type of change', async (t) => {
  const { client, propose, user } = await openProposing(t)
  const [from, to] = [await make(client, 'stage', { name: 'A' }), await make(client, 'stage', { name: 'B' })]
  const deal = await make(client, 'deal', { stage_id: from.id, value: 5 })
  const task = await make(client, 'task', { priority: 'low' })
  const move = { type: 'deal', id: deal.id, values: { stage_id: to.id, value: 9 } }
  const complete = { type: 'task', id: task.id, values: { status: 'completed', priority: 'high' } }
  const [moved, stale, completed] = [
    await propose('save_record', move),
    await propose('save_record', move),
    await propose('save_record', complete),
  ]
  const apply = (id: string, field: string) => user.post(`${proposals}/${id}/apply`, { fields: [field] })

  assert.equal((await apply(moved.id, 'value')).status, 200)
  assert.equal((await apply(completed.id, 'priority')).status, 200)
  assertError(await apply(stale.id, 'value'), 409, 'CONFLICT')
  assert.equal((await apply(stale.id, 'stage_id')).status, 200)
  const { data } = (await client.get(`/api-v1-deals/${deal.id}`)).body
  assert.deepEqual([data.stage_id, data.value], [to.id, 9])
})

test('A field that already has the proposed value is not applied in silence', async (t) => {
  const { client, propose, user } = await openProposing(t)
  const contact = await make(client, 'contact', { last_name: 'Weber' })
  const values = { job_title: 'CEO', last_name: 'Wilson' }
  const { id } = await propose('save_record', { type: 'contact', id: contact.id, values })

  await client.patch(`/api-v1-contacts/${contact.id}`, { job_title: 'CEO' })

  assertError(await user.post(`${proposals}/${id}/apply`, { fields: ['job_title'] }), 409, 'CONFLICT')
  assertError(await user.post(`${proposals}/${id}/apply`), 409, 'CONFLICT')
  assert.equal((await user.post(`${proposals}/${id}/apply`, { fields: ['last_name'] })).status, 200)
})

test('A proposal to undo a change is refused if the field has changed again since, because nothing would happen', async (t) => {
  const { client, propose, user } = await openProposing(t)
  const contact = await make(client, 'contact', { job_title: 'CTO' })
  await client.patch(`/api-v1-contacts/${contact.id}`, { job_title: 'CEO' })
  const { seq } = (await readChanges(client)).at(-1)
  const { id } = await propose('undo', { seq })

  await client.patch(`/api-v1-contacts/${contact.id}`, { job_title: 'CFO' })

  assertError(await user.post(`${proposals}/${id}/apply`), 409, 'CONFLICT')
  assert.equal((await client.get(`${proposals}/${id}`)).body.data.status, 'open')
})

test('Of a merge with more changes than it shows, a proposal shows the merged records first, and compares every change', async (t) => {
  const { client, propose, user } = await openProposing(t)
  const [one, two] = [await make(client, 'contact'), await make(client, 'contact', { first_name: 'Grace' })]
  const tasks: { id: string }[] = []
  for (let n = 0; n < 60; n++) tasks.push(await make(client, 'task', { contact_id: two.id }))
  const given = { type: 'contact', id: one.id, with: [two.id] }

  const { id, changes, changes_total } = await propose('merge_records', given)
  const apply = () => user.post(`${proposals}/${id}/apply`)

  const first = changes.slice(0, 2).map(({ type, record_id }: Record<string, string>) => [type, record_id])
  assert.deepEqual([changes.length, changes_total], [50, 62])
  assert.deepEqual(first, [
    ['contact.deleted', two.id],
    ['contact.merged', one.id],
  ])
  const added = await make(client, 'task', { contact_id: two.id })
  assertError(await apply(), 409, 'CONFLICT')
  await client.patch(`/api-v1-tasks/${tasks[58]!.id}`, { contact_id: null })
  assertError(await apply(), 409, 'CONFLICT')
  await client.delete(`/api-v1-tasks/${added.id}`)
  await client.patch(`/api-v1-tasks/${tasks[58]!.id}`, { contact_id: two.id })
  await client.patch(`/api-v1-tasks/${tasks[59]!.id}`, { title: 'Another title' })
  assert.equal((await apply()).status, 200)
})
