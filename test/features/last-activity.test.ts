import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { listWorkspaceIds } from '../../src/access/company.ts'
import { planBatch, verifyMade } from '../../src/changes/readers/batch-reader.ts'
import { CatchUp } from '../../src/changes/readers/keep-up.ts'
import { lastActivity } from '../../src/features/last-activity/last-activity.ts'
import { dayMs, timestamp } from '../../src/lib/clock.ts'
import type { Client } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { deliverMessage } from '../support/message.ts'
import { type StartOptions, start } from '../support/start.ts'
import { until } from '../support/wait.ts'
import { caughtUp, lastOf, occurred } from './last-activity.ts'

async function prepare(t: TestContext, options?: StartOptions) {
  const server = await start(t, options)
  const { client } = await server.company('Acme')
  return { server, client }
}

async function makeAll(client: Client) {
  const organization = await make(client, 'organization')
  const contact = await make(client, 'contact')
  const deal = await make(client, 'deal', { contact_id: contact.id, organization_id: organization.id })
  return { organization, contact, deal }
}

test('The last activity is when it occurred if that is a past time, and otherwise when it was written', async (t) => {
  const { server, client } = await prepare(t)
  const now = server.clock.now()
  const hourAgo = timestamp(now - dayMs / 24)
  const cases: [unknown, string][] = [
    [hourAgo, hourAgo],
    ['2026-06-15T11:00:00+02:00', '2026-06-15T09:00:00.000Z'],
    ['2026-06-01', '2026-06-01T00:00:00.000Z'],
    [timestamp(now + 1), timestamp(now)],
    ['yesterday', timestamp(now)],
    [1_700_000_000, timestamp(now)],
  ]
  for (const [given, expected] of cases) {
    const { organization } = await makeAll(client)
    const made = await make(client, 'activity', { organization_id: organization.id, ...occurred(given) })
    await caughtUp(server)

    assert.equal(await lastOf(client, 'organizations', organization.id), expected, String(given))
    const { body } = await client.get(`/api-v1-activities?filter[occurred_at]=${expected}&sort=-occurred_at`)
    assert.ok(
      body.data.some(({ id }: JsonRecord) => id === made.id),
      `${given} is found by ${expected}`,
    )
  }
})

test('A message counts for its organization, deal and contacts while the whole team sees it', async (t) => {
  const server = await start(t)
  const { client, id: companyId } = await server.company('Acme')
  const { organization, contact, deal } = await makeAll(client)
  const links = { organizationId: organization.id, dealId: deal.id, contactIds: [contact.id] }
  const lasts = async () => {
    await caughtUp(server)
    const records = [['organizations', organization] as const, ['deals', deal] as const, ['contacts', contact] as const]
    return Promise.all(records.map(([path, { id }]) => lastOf(client, path, id)))
  }
  const at = timestamp(server.clock.now())
  const id = await deliverMessage(server.store, companyId, links)
  assert.deepEqual(await lasts(), [at, at, at])

  server.clock.advance(dayMs)
  await deliverMessage(server.store, companyId, { ...links, status: 'held' })
  assert.deepEqual(await lasts(), [at, at, at])
  await client.patch(`/api-v1-messages/${id}`, { deal_id: null, organization_id: null, contact_ids: [] })
  assert.deepEqual(await lasts(), [null, null, null])
})

test('A task counts from its completion, and no longer when it is opened again, deleted or erased', async (t) => {
  const { server, client } = await prepare(t)
  const { contact } = await makeAll(client)
  const task = await make(client, 'task', { contact_id: contact.id })
  const seen: unknown[] = []
  const note = async () => {
    await caughtUp(server)
    seen.push(await lastOf(client, 'contacts', contact.id))
  }
  const steps = [
    () => client.patch(`/api-v1-tasks/${task.id}/complete`, undefined),
    () => client.patch(`/api-v1-tasks/${task.id}`, { status: 'pending' }),
    () => client.patch(`/api-v1-tasks/${task.id}`, { status: 'completed' }),
    () => client.delete(`/api-v1-tasks/${task.id}`),
    () => client.post(`/api-v1-trash/${task.id}/restore`, undefined),
  ]
  await note()
  for (const step of steps) {
    server.clock.advance(1_000)
    await step()
    await note()
  }
  await client.delete(`/api-v1-tasks/${task.id}`)
  await client.delete(`/api-v1-trash/${task.id}`)
  await note()

  const at = (seconds: number) => timestamp(Date.parse('2026-06-15T12:00:00.000Z') + seconds * 1_000)
  assert.deepEqual(seen, [null, at(1), null, at(3), null, at(3), null])
})

test('An activity of a contact counts for its open deals, and for a closed one if it was written before', async (t) => {
  const { server, client } = await prepare(t)
  const { contact, deal } = await makeAll(client)
  const won = await make(client, 'stage', { name: 'Paid', kind: 'won' })
  const log = async () => {
    server.clock.advance(1_000)
    await make(client, 'activity', { contact_id: contact.id })
    return timestamp(server.clock.now())
  }
  const first = await log()
  await client.patch(`/api-v1-deals/${deal.id}`, { stage_id: won.id })
  const second = await log()
  await caughtUp(server)
  const closed = await lastOf(client, 'deals', deal.id)
  await client.patch(`/api-v1-deals/${deal.id}`, { stage_id: deal.stage_id })
  await caughtUp(server)
  const opened = await lastOf(client, 'deals', deal.id)
  await client.delete(`/api-v1-deals/${deal.id}/contacts/${contact.id}`)
  await caughtUp(server)

  assert.deepEqual([closed, opened], [first, second])
  assert.equal(await lastOf(client, 'deals', deal.id), null)
  assert.equal(await lastOf(client, 'contacts', contact.id), second)
})

test('An activity of a contact counts for its hundred newest open deals', async (t) => {
  const { server, client } = await prepare(t)
  const contact = await make(client, 'contact')
  const ids: string[] = []
  for (let n = 0; n < 102; n++) {
    const { id } = await make(client, 'deal', n % 2 === 0 ? { contact_id: contact.id } : {})
    if (n % 2 === 1) await client.put(`/api-v1-deals/${id}/contacts/${contact.id}`, {})
    ids.push(id)
  }
  await make(client, 'activity', { contact_id: contact.id })
  await caughtUp(server)
  const counted = async () => {
    const { body } = await client.get('/api-v1-deals?last_activity_at[ne]=null&sort=created_at&per_page=100')
    return body.data[0].id
  }
  const before = await counted()
  await client.delete(`/api-v1-deals/${ids[50]}`)
  await caughtUp(server)

  assert.equal(before, ids[2])
  assert.equal(await counted(), ids[1])
})

test('The last activity is filtered, sorted and exported, and changes neither records nor their versions', async (t) => {
  const { server, client } = await prepare(t)
  const { organization } = await makeAll(client)
  const path = `/api-v1-organizations/${organization.id}`
  const before = await client.get(path)
  server.clock.advance(1_000)
  await make(client, 'activity', { organization_id: organization.id })
  await caughtUp(server)
  const after = await client.get(path)
  const at = timestamp(server.clock.now())
  const list = await client.get(`/api-v1-organizations?last_activity_at[gte]=${at}&sort=-last_activity_at`)
  const file = await client.get('/api-v1-organizations', { Accept: 'text/csv' })

  assert.deepEqual([after.body, after.headers.get('etag')], [before.body, before.headers.get('etag')])
  assert.deepEqual(
    list.body.data.map(({ id }: JsonRecord) => id),
    [organization.id],
  )
  assert.match(String(file.body), /,last_activity_at(,|\r\n)/)
  assert.ok(String(file.body).includes(at))
})

test('What the reader has made is made anew with a new version and without a position', async (t) => {
  const { server, client } = await prepare(t)
  const { organization, deal } = await makeAll(client)
  await make(client, 'activity', { organization_id: organization.id, deal_id: deal.id })
  await caughtUp(server)
  const expected = await lastOf(client, 'deals', deal.id)
  const { store } = server
  const id = listWorkspaceIds(store.access).find(
    (each) => [...verifyMade(lastActivity, store.workspace(each))].length === 0,
  )!
  for (const forget of [
    'UPDATE log_reader SET version = 0',
    'DELETE FROM log_reader',
    'UPDATE log_reader SET position = 99999',
  ]) {
    await store.write(id, (tx) => {
      tx.run("UPDATE deal SET last_activity_at = '2001-01-01T00:00:00.000Z' WHERE workspace_id = :workspace")
      tx.run(`${forget} WHERE workspace_id = :workspace`)
    })
    await make(client, 'organization')
    await caughtUp(server)

    assert.equal(await lastOf(client, 'deals', deal.id), expected, forget)
  }
})

test('What a task made stays right if the task is erased before its deletion was read', async (t) => {
  const { server, client } = await prepare(t, { work: 'nowhere' })
  const read = () => new CatchUp(server.store, [lastActivity]).run(new AbortController().signal)
  const { contact } = await makeAll(client)
  const task = await make(client, 'task', { contact_id: contact.id, status: 'completed' })
  await read()
  const before = await lastOf(client, 'contacts', contact.id)
  await client.delete(`/api-v1-tasks/${task.id}`)
  await client.delete(`/api-v1-trash/${task.id}`)
  await read()

  assert.equal(before, task.completed_at)
  assert.equal(await lastOf(client, 'contacts', contact.id), null)
})

test('The erasure of a contact rebuilds nothing if all changes that concern the reader have been read', async (t) => {
  const { server, client } = await prepare(t, { work: 'nowhere' })
  const positions = () => server.store.access.rows('SELECT workspace_id, position, rebuilt FROM log_reader')
  await makeAll(client)
  const { id } = await make(client, 'contact')
  await new CatchUp(server.store, [lastActivity]).run(new AbortController().signal)
  const before = positions()
  await client.delete(`/api-v1-contacts/${id}`)
  await client.delete(`/api-v1-trash/${id}`)

  assert.ok(before.length > 0)
  assert.deepEqual(positions(), before)
})

test('An erasure during a rebuild starts the rebuild again', async (t) => {
  const { server, client } = await prepare(t, { work: 'nowhere' })
  const { id } = await make(client, 'contact')
  const [live] = listWorkspaceIds(server.store.access)
  const { writes } = planBatch(lastActivity, server.store.workspace(live!))!
  assert.equal(await server.store.write(live!, writes[0]!), true)
  await client.delete(`/api-v1-contacts/${id}`)
  await client.delete(`/api-v1-trash/${id}`)

  assert.deepEqual(server.store.access.rows('SELECT workspace_id FROM log_reader'), [])
})

test('A thread of the server keeps it', async (t) => {
  const { client } = await prepare(t, { work: 'thread' })
  const { organization } = await makeAll(client)
  await make(client, 'activity', { organization_id: organization.id })

  await until('the activity counts', () => lastOf(client, 'organizations', organization.id), {
    is: (at) => at !== null,
  })
})
