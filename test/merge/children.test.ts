import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activity } from '../../src/crm/activity.ts'
import { movedMax } from '../../src/engine/api/merge/children.ts'
import { insert } from '../../src/engine/records/rows/write.ts'
import { readChanges } from '../support/changes.ts'
import { assertError } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { contacts, everything, merge, organizations, undo } from './merging.ts'

test('What belongs to the others belongs to the survivor afterwards, and they are in the trash', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const [survivor, other] = [await make(client, 'organization'), await make(client, 'organization', { name: 'Other' })]
  const of = { organization_id: other.id }
  const children: [string, JsonRecord][] = []
  for (const name of ['contact', 'deal', 'task', 'activity']) children.push([name, await make(client, name, of)])
  const person = await make(client, 'contact')
  const kept = await make(client, 'deal', { contact_id: person.id, organization_id: survivor.id })

  const { body } = await merge(client, organizations, [survivor, other])

  for (const each of ['contacts', 'deals', 'tasks', 'activities']) assert.equal(body.moved[each], 1, each)
  for (const [name, { id }] of children) {
    const { data } = (await client.get(`/api-v1-${name === 'activity' ? 'activities' : `${name}s`}/${id}`)).body
    assert.equal(data.organization.id, survivor.id)
  }
  assert.deepEqual((await client.get(`/api-v1-deals/${kept.id}`)).body.data, kept)
  const [trashed] = (await client.get('/api-v1-trash')).body.data
  assert.deepEqual([trashed.id, trashed.title], [other.id, 'Other'])
})

test('A moved activity is otherwise unchanged: its time and its author stay', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const [survivor, other] = [await make(client, 'contact'), await make(client, 'contact')]
  const before = await make(client, 'activity', { contact_id: other.id })
  server.clock.advance(60_000)

  await merge(client, contacts, [survivor, other])

  const { data } = (await client.get(`/api-v1-activities/${before.id}`)).body
  assert.deepEqual({ ...data, contact_id: other.id, contact: before.contact }, before)
})

test('The primary contact of a merged organization stays primary only if the survivor has none', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const [empty, one, two] = [
    await make(client, 'organization'),
    await make(client, 'organization'),
    await make(client, 'organization'),
  ]
  const add = (organization_id: string) => make(client, 'contact', { organization_id, is_primary: true })
  const [first, second] = [await add(one.id), await add(two.id)]

  const response = await merge(client, organizations, [empty, one, two])

  const primary = async ({ id }: JsonRecord) => (await client.get(`${contacts}/${id}`)).body.data.is_primary
  assert.deepEqual([await primary(first), await primary(second)], [true, false])
  await undo(client, response)
  assert.deepEqual([await primary(first), await primary(second)], [true, true])
})

test('Each record that a merge changes is in the log once, with its cause', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const [survivor, other] = [await make(client, 'contact'), await make(client, 'contact', { job_title: 'Boss' })]
  const [deal, note] = [
    await make(client, 'deal', { contact_id: other.id }),
    await make(client, 'activity', { contact_id: other.id }),
  ]

  const { headers } = await merge(client, contacts, [survivor, other])

  const id = headers.get('x-request-id')
  const log = (await readChanges(client, 'start')).filter(({ request_id }) => request_id === id)
  const shown = log.map(({ type, record_id, changed }) => [type, record_id, changed])
  assert.deepEqual(shown, [
    ['deal.updated', deal.id, ['contacts', 'contact_id']],
    ['activity.updated', note.id, ['contact_id']],
    ['contact.deleted', other.id, []],
    ['contact.merged', survivor.id, ['job_title']],
  ])
  for (const { cause } of log) assert.deepEqual(cause, { merge: survivor.id })
  const { body } = await client.get(`/api-v1-changes?types=contact.merged`)
  assert.deepEqual([body.data.length, body.data[0].previous], [1, { job_title: null }])
})

test('A dry run shows the survivor and what would move, and changes nothing', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const [survivor, other] = [await make(client, 'contact'), await make(client, 'contact', { job_title: 'Boss' })]
  await make(client, 'deal', { contact_id: other.id })
  const [before, log] = [await everything(client), await readChanges(client, 'start')]

  const { body } = await merge(client, contacts, [survivor, other], { dry_run: true })

  assert.deepEqual([body.data.id, body.data.job_title, body.moved.deals], [survivor.id, 'Boss', 1])
  assert.deepEqual([await everything(client), await readChanges(client, 'start')], [before, log])
})

test('A merge that would move too many records is refused, and possible the other way round', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const [small, large] = [await make(client, 'contact'), await make(client, 'contact')]
  const workspace = server.store.access.value<number>('SELECT workspace_id FROM api_key WHERE id = ?', client.keyId)!
  const values = { type: 'note', metadata: '{}', contact_id: large.id }
  const add = (count: number) =>
    server.store.write(workspace, (tx) => {
      for (let n = 0; n < count; n++) insert(activity, tx, { values, items: {} }, {})
    })

  await add(movedMax)
  const possible = await client.post(`${contacts}/${small.id}/merge`, { with: [large.id], dry_run: true })
  assert.equal(possible.body.moved.activities, movedMax)

  await add(1)
  const refused = await client.post(`${contacts}/${small.id}/merge`, { with: [large.id] })
  assertError(refused, 409, 'CONFLICT')
  assert.match(refused.body.error.message, /at most 5000 records/)
  assert.equal((await client.get(`${contacts}/${large.id}`)).status, 200)

  const { body } = await merge(client, contacts, [large, small])
  assert.equal(body.moved.activities, 0)
})
