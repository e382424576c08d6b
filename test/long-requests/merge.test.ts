import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StatementWatch } from '../guard/statements.ts'
import { contacts, everything, organizations } from '../merge/merging.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { createUnder, people } from './under-request.ts'

/** More than the event loop moves. */
const some = 60

test('A merge that moves many records is repeated with its first response, and undone completely', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const [survivor, other] = [await make(client, 'organization'), await make(client, 'organization')]
  await createUnder(server.store, client, 'import', people(some, { organization_id: other.id }))
  const before = await everything(client)
  const path = `${organizations}/${survivor.id}/merge`
  const ask = (body: object) => client.post(path, { with: [other.id], ...body }, { 'Idempotency-Key': 'merge-it-once' })

  const dry = await client.post(path, { with: [other.id], dry_run: true })
  assert.deepEqual(await everything(client), before)
  const [first, again] = [await ask({}), await ask({})]

  assert.equal(first.body.moved.contacts, some)
  assert.deepEqual([dry.body.moved, again.body], [first.body.moved, first.body])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal((await client.get(`${contacts}?organization_id=${survivor.id}`)).body.pagination.total, some)

  const { body } = await client.post('/api-v1-undo', { request_id: first.headers.get('x-request-id') })

  assert.deepEqual(body.data.errored, [])
  assert.deepEqual(await everything(client), before)
})

test('A long merge checks If-Match, and the 412 changes nothing', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const [survivor, other] = [await make(client, 'organization'), await make(client, 'organization')]
  await createUnder(server.store, client, 'import', people(some, { organization_id: other.id }))

  const response = await client.post(
    `${organizations}/${survivor.id}/merge`,
    { with: [other.id] },
    { 'If-Match': '"x"' },
  )

  assert.deepEqual([response.status, response.body.error.code], [412, 'CONFLICT'])
  assert.equal((await client.get(`${contacts}?organization_id=${other.id}`)).body.pagination.total, some)
})

test('The event loop does not write when contacts are merged that are on many deals', async (t) => {
  const watch = new StatementWatch()
  const server = await start(t, { prepare: watch.prepare })
  const client = await server.client()
  const [survivor, other] = [await make(client, 'contact'), await make(client, 'contact')]
  for (let each = 0; each < some; each++) {
    const { id } = await make(client, 'deal')
    await client.put(`/api-v1-deals/${id}/contacts/${other.id}`, {})
  }
  watch.statements.length = 0

  const response = await client.post(`${contacts}/${survivor.id}/merge`, { with: [other.id.toUpperCase()] }) // an id in any case

  assert.equal(response.status, 200)
  assert.equal((await client.get(`/api-v1-deals?people_id=${survivor.id}`)).body.pagination.total, some)
  assert.deepEqual(
    watch.statements.filter((sql) => /^(?:INSERT|UPDATE) /.test(sql) && /\b(?:contact|deal_contact)\b/.test(sql)),
    [],
  )
})
