import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { activateUser, deactivateUser } from '../../../src/access/user.ts'
import { verifyLog } from '../../../src/changes/verify.ts'
import { loggedResources } from '../../../src/features/index.ts'
import { changesPath, newestCursor, pageOf, typesIn } from '../../changes/feed.ts'
import { readSnapshot } from '../../changes/snapshot.ts'
import { assertError, clientFor } from '../../support/client.ts'
import { idsOf, unknownId } from '../../support/contract.ts'
import { start } from '../../support/start.ts'
import { newColleague, newOwner } from '../../support/visitor.ts'
import { addDeals, addView, titlesIn, viewsPath } from './views.ts'

const deals = '/api-v1-deals'
const personal = { visibility: 'personal' }

/** A company, and the personal keys of two of its users. */
async function open(t: TestContext) {
  const server = await start(t)
  const company = await server.company('Acme')
  const { client } = company
  const [graceId, ottoId] = [await client.addUser(), await client.addUser()]
  const grace = await company.key({ userId: graceId })
  return { server, company, client, grace, graceId, otto: await company.key({ userId: ottoId }) }
}

test('A personal view belongs to the user of the key, and only that user sees it', async (t) => {
  const { client, grace, graceId, otto } = await open(t)
  const view = await addView(grace, { ...personal, filter: 'value=10' })
  const shared = await addView(client)
  const path = `${viewsPath}/${view.id}`

  assert.deepEqual([view.visibility, view.user_id, shared.user_id], ['personal', graceId, null])
  assert.deepEqual(idsOf((await grace.get(viewsPath)).body.data), [shared.id, view.id])
  assert.deepEqual((await grace.get(path)).body.data, view)
  for (const other of [otto, client]) {
    assert.deepEqual(idsOf((await other.get(viewsPath)).body.data), [shared.id])
    assert.equal((await other.get(`${viewsPath}?visibility=personal`)).body.pagination.total, 0)
  }
})

test('To others, a personal view is a view that does not exist, in every response', async (t) => {
  const { client, grace, otto } = await open(t)
  const { id } = await addView(grace, { ...personal, filter: 'value=10' })
  const ask = (at: string) => [
    () => otto.get(`${viewsPath}/${at}`),
    () => otto.get(`${viewsPath}/${at}?as_of=1`),
    () => otto.get(`${viewsPath}/${at}/history`),
    () => otto.patch(`${viewsPath}/${at}`, { name: 'Mine now' }),
    () => otto.patch(`${viewsPath}/${at}`, {}),
    () => otto.delete(`${viewsPath}/${at}`),
    () => otto.get(`${deals}?view=${at}`),
    () => client.get(`${deals}?view=${at}`),
    () => client.post(`/api-v1-trash/${at}/restore`, {}),
    () => client.delete(`/api-v1-trash/${at}`),
  ]

  const [hidden, unknown] = [ask(id), ask(unknownId)]
  for (const [at, request] of hidden.entries()) {
    const [{ status, body }, none] = [await request(), await unknown[at]!()]
    assert.ok(status >= 400, `${at}: ${JSON.stringify(body)}`)
    assert.deepEqual([status, body], [none.status, none.body], String(at))
  }
  assert.equal((await grace.get(`${viewsPath}/${id}`)).body.data.name, 'Mine')
})

test('A response to a personal view is not sent to others from the cache', async (t) => {
  const { client, grace, otto } = await open(t)
  await addDeals(client, [10, 20])
  const { id } = await addView(grace, { ...personal, filter: 'value=10' })
  const path = `${deals}?view=${id}`

  assert.deepEqual(titlesIn(await grace.get(path)), ['10'])
  assert.deepEqual(titlesIn(await grace.get(path)), ['10'])
  assertError(await otto.get(path), 400, 'VALIDATION_ERROR', undefined, ['view'])
  assert.equal((await grace.get(viewsPath)).body.pagination.total, 1)
  assert.equal((await otto.get(viewsPath)).body.pagination.total, 0)
})

test('The log, the trash, undo and snapshots do not have personal views', async (t) => {
  const { client, grace } = await open(t)
  const after = await newestCursor(client)
  const created = await grace.post(viewsPath, { name: 'Mine', resource: 'deal', ...personal })
  const { id } = created.body.data
  await grace.patch(`${viewsPath}/${id}`, { name: 'Still mine' })
  const kept = await addView(grace, personal)
  const shared = await addView(client)
  const history = await grace.get(`${viewsPath}/${id}/history`)
  await grace.delete(`${viewsPath}/${id}`)

  assert.deepEqual(history.body.data, [])
  assert.deepEqual(typesIn((await pageOf(client, `?after=${after}`)).data), ['view.created'])
  assert.deepEqual((await pageOf(client, `?record_id=${id}`)).data, [])
  assert.deepEqual((await client.get('/api-v1-trash')).body.data, [])
  const request = created.headers.get('x-request-id')
  assertError(await client.post('/api-v1-undo', { request_id: request }), 404, 'NOT_FOUND')
  const { records } = await readSnapshot(client, '?types=view')
  assert.deepEqual(idsOf(records.map(({ data }: { data: { id: string } }) => data)), [shared.id])
  assertError(await grace.get(`${viewsPath}/${id}`), 404, 'NOT_FOUND')
  assert.equal((await grace.get(`${viewsPath}/${kept.id}`)).status, 200)
  assert.equal((await client.get(`${changesPath}?types=view.*`)).body.data.length, 1)
})

test('The verification of the log does not miss personal views', async (t) => {
  const { server, client, grace } = await open(t)
  await addView(grace, personal)
  await addView(client)

  assert.deepEqual([...verifyLog(loggedResources, server.store.workspace(1))], [])
})

test('The session and the personal key of a user have the same personal views', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const [grace, otto] = [
    await newColleague(server, 'member'),
    await newColleague(server, 'member', 'otto@acme.example'),
  ]
  const view = await addView(grace, personal)
  const body = { name: 'Mine', scopes: ['read:all'], type: 'personal', user_id: grace.id }
  const { key } = (await owner.post('/api-v1-keys', body)).body.data
  const client = clientFor(server.url, { id: '', key })

  assert.equal(view.user_id, grace.id)
  assert.deepEqual(idsOf((await client.get(viewsPath)).body.data), [view.id])
  assert.deepEqual([(await owner.get(viewsPath)).body.data, (await otto.get(viewsPath)).body.data], [[], []])
})

test('A key without a user cannot have personal views', async (t) => {
  const { client } = await open(t)
  const message = 'A personal view belongs to a user: use a personal key, or create a shared view'

  const response = await client.post(viewsPath, { name: 'Whose?', resource: 'deal', ...personal })

  assertError(response, 400, 'VALIDATION_ERROR', message, ['visibility'])
})

test('Nobody sees the personal views of a deactivated user, who has them again once activated', async (t) => {
  const { server, client, grace, graceId } = await open(t)
  const { id } = await addView(grace, personal)

  await server.store.writeAccess((tx) => deactivateUser(tx, graceId))
  assertError(await client.get(`${viewsPath}/${id}`), 404, 'NOT_FOUND')
  await server.store.writeAccess((tx) => activateUser(tx, graceId))

  const again = await client.post('/api-v1-keys', { name: 'Again', scopes: ['read:deals'], user_id: graceId })
  assert.equal((await clientFor(server.url, again.body.data).get(`${viewsPath}/${id}`)).status, 200)
})

test('A user has at most 100 personal views in a workspace, and a workspace 100 shared ones', async (t) => {
  const { client, grace, otto } = await open(t)
  const add = async (by: typeof client, fields: object) => {
    for (let count = 0; count < 100; count++) await addView(by, { ...fields })
    return by.post(viewsPath, { name: 'One more', resource: 'deal', ...fields })
  }
  const mine = await add(grace, personal)
  assertError(mine, 409, 'CONFLICT', 'A user has at most 100 personal views: delete one first')
  const { id } = await addView(otto, {})
  await client.delete(`${viewsPath}/${id}`)

  const ours = await add(client, {})
  assertError(ours, 409, 'CONFLICT', 'A workspace has at most 100 shared views: delete one first')
  assertError(await client.post(`/api-v1-trash/${id}/restore`, {}), 409, 'CONFLICT')
  await addView(otto, personal)
  const [first] = (await grace.get(`${viewsPath}?visibility=personal`)).body.data
  await grace.delete(`${viewsPath}/${first.id}`)
  await addView(grace, personal)
})
