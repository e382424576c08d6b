import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readChanges } from '../support/changes.ts'
import { assertError } from '../support/client.ts'
import { make } from '../support/make.ts'
import { newOwner } from '../support/visitor.ts'
import { openProposing, proposals } from './proposing.ts'

test('In the mode propose, every tool that writes stores a proposal that shows each field, and changes nothing', async (t) => {
  const { agent, client, propose, keyId, url } = await openProposing(t)
  const [one, two] = [
    await make(client, 'contact', { first_name: 'Ada' }),
    await make(client, 'contact', { first_name: 'Ada' }),
  ]
  const task = await make(client, 'task')
  const before = (await readChanges(client)).length
  const calls: [string, object][] = [
    ['save_record', { type: 'contact', id: one.id, values: { job_title: 'CEO' } }],
    ['log_activity', { type: 'note', contact_id: one.id }],
    ['complete_task', { id: task.id }],
    ['delete_record', { type: 'contact', id: two.id }],
    ['merge_records', { type: 'contact', id: one.id, with: [two.id] }],
    ['undo', { seq: before }],
  ]

  for (const [tool, given] of calls) assert.equal((await propose(tool, given)).tool, tool)
  const note = await agent.use('save_record', { type: 'task', values: { title: 'Call' } })

  const { data, pagination } = (await client.get(`${proposals}?sort=created_at`)).body
  assert.equal(pagination.total, 7)
  const first = data.find(({ tool }: { tool: string }) => tool === 'save_record')
  assert.deepEqual([first.key_id, first.client, first.status], [keyId, 'test-agent 1.0', 'open'])
  assert.match(note.note, new RegExp(`${url}/proposals`))
  assert.equal((await readChanges(client)).length, before)
  const saved = data.find(({ changes }: { changes: { type: string }[] }) => changes[0]!.type === 'contact.updated')
  assert.deepEqual(saved.changes[0].fields, { job_title: { before: null, after: 'CEO' } })
})

test('A proposal shows no values of what those who see proposals may not see the changes of', async (t) => {
  const { client, key, propose } = await openProposing(t)
  const rate = await make(client, 'exchange_rate', { currency: 'USD', rate: 0.9 })
  const { headers } = await client.patch(`/api-v1-exchange-rates/${rate.id}`, { rate: 0.8 })
  const reader = await key({ scopes: ['read:all'] })

  const { id } = await propose('undo', { request_id: headers.get('x-request-id') })

  const { changes } = (await reader.get(`${proposals}/${id}`)).body.data
  assert.deepEqual(changes, [{ type: 'exchange_rate.updated', record_id: rate.id, title: '', fields: {} }])
})

test('A user applies a proposal as its author, the log names the proposal, and its handle undoes it', async (t) => {
  const { client, propose, user } = await openProposing(t)
  const { id, changes } = await propose('save_record', { type: 'task', values: { title: 'Call' } })

  const applied = await user.post(`${proposals}/${id}/apply`)
  const again = await user.post(`${proposals}/${id}/apply`)
  const rejected = await user.post(`${proposals}/${id}/reject`)

  const change = (await readChanges(client)).at(-1)
  assert.deepEqual([applied.status, applied.body.data.status, applied.body.data.decided_by], [200, 'applied', user.id])
  assert.deepEqual([change.type, change.actor.type, change.actor.id], ['task.created', 'user', user.id])
  assert.deepEqual(change.cause, { proposal: id, mcp: { client: 'test-agent 1.0', tool: 'save_record' } })
  assert.equal(change.data.title, changes[0].fields.title.after)
  assertError(again, 409, 'CONFLICT')
  assertError(rejected, 409, 'CONFLICT')
  await user.post('/api-v1-undo', applied.body.undo)
  assert.equal((await client.get('/api-v1-tasks')).body.pagination.total, 0)
})

test('A proposal shows the first of many large changes, and how many there are', async (t) => {
  const { client, propose, user } = await openProposing(t)
  const metadata = { note: 'x'.repeat(60_000) }
  const ids: string[] = []
  for (let n = 0; n < 8; n++) ids.push((await make(client, 'contact', { first_name: `Ada ${n}`, metadata })).id)
  const [first, ...others] = ids

  const { id, changes, changes_total } = await propose('merge_records', { type: 'contact', id: first, with: others })

  assert.ok(changes.length > 0 && JSON.stringify(changes).length < 200_000)
  assert.equal(changes_total, 8)
  assert.equal((await user.post(`${proposals}/${id}/apply`)).status, 200)
  assert.equal((await client.get('/api-v1-contacts')).body.pagination.total, 1)
})

test('A decided proposal no longer contains what it proposed', async (t) => {
  const { client, propose, user } = await openProposing(t)
  const { id } = await propose('save_record', { type: 'contact', values: { first_name: 'Secretary' } })

  const { body } = await user.post(`${proposals}/${id}/reject`)

  assert.deepEqual([body.data.status, body.data.changes, body.data.request_id], ['rejected', [], null])
  assert.doesNotMatch(JSON.stringify((await client.get(proposals)).body), /Secretary/)
  assert.equal((await client.get('/api-v1-contacts')).body.pagination.total, 0)
})

test('Only a signed-in user decides: a key cannot, not even with all scopes, and a key needs read:all to read them', async (t) => {
  const { client, key, propose } = await openProposing(t)
  const { id } = await propose('save_record', { type: 'task', values: { title: 'Call' } })
  const narrow = await key({ scopes: ['read:tasks', 'write:tasks'] })

  assertError(await client.post(`${proposals}/${id}/apply`, {}), 403, 'INSUFFICIENT_PERMISSIONS')
  assertError(await client.request('POST', `${proposals}/${id}/apply`), 403, 'INSUFFICIENT_PERMISSIONS')
  for (const body of ['{', '[]', '{"forced":1}']) {
    const headers = { 'Content-Type': 'application/json' }
    const response = await client.request('POST', `${proposals}/${id}/apply`, { headers, body })
    assertError(response, 403, 'INSUFFICIENT_PERMISSIONS')
  }
  assertError(await client.request('POST', `${proposals}/${id}/reject`), 403, 'INSUFFICIENT_PERMISSIONS')
  assertError(await narrow.get(proposals), 403, 'INSUFFICIENT_PERMISSIONS')
  assert.equal((await client.get(`${proposals}/${id}`)).body.data.status, 'open')
})

test('A user applies only proposals of the company and the workspace that they are in', async (t) => {
  const { client, propose, user, store, url } = await openProposing(t)
  const { id } = await propose('save_record', { type: 'task', values: { title: 'Call' } })
  const stranger = await newOwner({ url, store })

  assertError(await stranger.post(`${proposals}/${id}/apply`), 404, 'NOT_FOUND')
  const test = await user.post(`${proposals}/${id}/apply`, {}, { 'Kontor-Environment': 'test' })
  assertError(test, 404, 'NOT_FOUND')
  assert.equal((await client.get('/api-v1-tasks')).body.pagination.total, 0)
})

test('A proposal that cannot be applied is refused at once, and a repeated one with its operation_id is stored once', async (t) => {
  const { agent, client, propose } = await openProposing(t)
  const given = { type: 'task', values: { title: 'Call' }, operation_id: 'op-1' }

  const invalid = await agent.call('save_record', { type: 'task', values: { title: '' } })
  const [first, again] = [await propose('save_record', given), await propose('save_record', given)]

  assert.equal(invalid.error.code, 'VALIDATION_ERROR')
  assert.equal(again.id, first.id)
  assert.equal((await client.get(proposals)).body.pagination.total, 1)
})

test('When a record is erased, the open proposals that mention it are removed', async (t) => {
  const { client, propose } = await openProposing(t)
  const contact = await make(client, 'contact', { first_name: 'Ada' })
  await propose('save_record', { type: 'contact', id: contact.id, values: { job_title: 'CEO' } })
  await propose('save_record', { type: 'task', values: { title: 'Call', contact_id: contact.id } })
  await propose('save_record', { type: 'task', values: { title: 'Other' } })

  await client.delete(`/api-v1-contacts/${contact.id}`)
  const erased = await client.delete(`/api-v1-trash/${contact.id}`)

  assert.equal(erased.status, 200)
  const { data } = (await client.get(proposals)).body
  assert.deepEqual(
    data.map(({ changes }: { changes: { title: string }[] }) => changes[0]!.title),
    ['Other'],
  )
})

test('When a record is erased, a proposal that names it in capital letters and does not show it is removed, too', async (t) => {
  const { client, propose, user } = await openProposing(t)
  const metadata = { note: 'x'.repeat(60_000) }
  const ids: string[] = []
  for (let n = 0; n < 4; n++) ids.push((await make(client, 'contact', { metadata })).id)
  const [first, ...others] = ids.map((id) => id.toUpperCase())
  const { changes } = await propose('merge_records', { type: 'contact', id: first, with: others })
  const hidden = ids.find((id) => !JSON.stringify(changes).includes(id))!

  await user.delete(`/api-v1-contacts/${hidden}`)
  await user.delete(`/api-v1-trash/${hidden}`)

  assert.equal((await client.get(proposals)).body.pagination.total, 0)
})

test('What would change nothing is not stored as a proposal, and the agent learns that', async (t) => {
  const { agent, client } = await openProposing(t)
  const contact = await make(client, 'contact', { job_title: 'CEO' })
  const [{ seq }] = (await readChanges(client)).filter(({ record_id }) => record_id === contact.id)
  await client.patch(`/api-v1-contacts/${contact.id}`, { job_title: 'CTO' })

  const same = { type: 'contact', id: contact.id, values: { job_title: 'CTO' } }
  const saved = await agent.use('save_record', same)
  const undone = await agent.use('undo', { seq })

  for (const { proposal, changes, changes_total, note } of [saved, undone]) {
    assert.deepEqual([proposal, changes, changes_total], [undefined, [], 0])
    assert.match(note, /Nothing would change/)
  }
  assert.match(undone.data.kept[0].message, /changed since it was created/)
  assert.equal((await client.get(proposals)).body.pagination.total, 0)
})

test('A workspace has at most 1,000 open proposals', async (t) => {
  const { agent, store, keyId, user } = await openProposing(t)
  const workspace = store.access.value<number>('SELECT workspace_id FROM api_key WHERE id = ?', keyId)!
  const { id } = (await agent.use('save_record', { type: 'task', values: { title: 'Call' } })).proposal
  await store.write(workspace, (tx) => {
    const columns =
      'workspace_id, id, key_id, client, tool, request, changes, changes_total, start, status, status_key, created_at'
    const rest = columns.replace(' id,', ' ?,')
    const sql = `INSERT INTO proposal (${columns}) SELECT ${rest} FROM proposal WHERE workspace_id = :workspace AND id = ?`
    for (let at = 1; at < 1_000; at++) tx.run(sql, tx.newId(), id)
  })

  const full = await agent.call('save_record', { type: 'task', values: { title: 'One more' } })
  await user.post(`${proposals}/${id}/reject`)
  const room = await agent.call('save_record', { type: 'task', values: { title: 'One more' } })

  assert.equal(full.error.code, 'CONFLICT')
  assert.equal(room.isError, false)
})

test('A proposal that is applied again with the same Idempotency-Key gives the first response, and is applied once', async (t) => {
  const { client, propose, user } = await openProposing(t)
  const { id } = await propose('save_record', { type: 'task', values: { title: 'Call' } })
  const other = await propose('save_record', { type: 'task', values: { title: 'Write' } })
  const apply = (proposal: string, body?: object) =>
    user.post(`${proposals}/${proposal}/apply`, body, { 'Idempotency-Key': 'one' })

  const first = await apply(id)
  const again = await apply(id)

  assert.equal(first.status, 200)
  assert.deepEqual([again.status, again.body], [200, first.body])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assertError(await apply(id, { force: true }), 409, 'CONFLICT')
  assertError(await apply(other.id), 409, 'CONFLICT')
  assert.equal((await client.get('/api-v1-tasks')).body.pagination.total, 1)
})
