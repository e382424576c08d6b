import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resources } from '../../src/features/index.ts'
import { readChanges } from '../support/changes.ts'
import { assertError, type Client } from '../support/client.ts'
import { offers } from '../support/contract.ts'
import { contacts, importAll } from '../support/imports.ts'
import { make } from '../support/make.ts'
import { type Server, start } from '../support/start.ts'

interface Tenant {
  name: string
  client: Client
}

/** Two companies with two workspaces each. In each, records of every resource are created, changed, deleted and imported. */
async function tenants(server: Server): Promise<Tenant[]> {
  const made: Tenant[] = []
  for (const name of ['Acme', 'Globex']) {
    const company = await server.company(name)
    made.push({ name: `${name} live`, client: company.client })
    made.push({ name: `${name} test`, client: await company.key({ environment: 'test' }) })
  }
  for (const { client } of made) await fill(client)
  return made
}

async function fill(client: Client): Promise<void> {
  for (const resource of resources) {
    const { id } = await make(client, resource.name)
    const path = `/${resource.path}/${id}`
    if (offers(resource, 'PATCH')) await client.patch(path, { metadata: { changed: true }, description: 'changed' })
    if (offers(resource, 'DELETE')) await client.delete(path)
  }
  await importAll(client, 'contacts', contacts(2))
}

test('A log has exactly the changes of its workspace, and no cursor, id or filter leads to those of another one', async (t) => {
  const server = await start(t)
  const all = await tenants(server)
  const logs = await Promise.all(all.map(({ client }) => readChanges(client)))

  const workspaces = server.store.access.values<number>('SELECT id FROM workspace ORDER BY id')
  for (const [index, { client, name }] of all.entries()) {
    const log = logs[index]!
    const sql = 'SELECT count(*) FROM change WHERE workspace_id = :workspace'
    assert.equal(log.length, server.store.workspace(workspaces[index]!).value(sql), name)
    assert.deepEqual(
      log.map(({ seq }) => seq),
      log.map((_, at) => at + 1),
      name,
    )
    for (const other of logs.filter((each) => each !== log)) await assertApart(client, log, other)
  }
})

type Log = Awaited<ReturnType<typeof readChanges>>

/** Fails if a client of a log is shown anything of another one. */
async function assertApart(client: Client, own: Log, other: Log): Promise<void> {
  const ids = new Set(own.map(({ record_id }) => record_id))
  const { record_id, request_id, actor } = other.findLast(({ type }) => type === 'contact.created')!
  assert.ok(!other.some((change) => ids.has(change.record_id)))
  for (const query of [`record_id=${record_id}`, `request_id=${request_id}`, `actor_id=${actor.id}`]) {
    const { body } = await client.get(`/api-v1-changes?${query}&limit=1000`)
    assert.ok(
      body.data.every((change: Log[number]) => ids.has(change.record_id)),
      query,
    )
  }
  assertError(await client.get(`/api-v1-contacts/${record_id}/history`), 404, 'NOT_FOUND')
}

test('The cursor of another workspace, of the same company or not, leads to no changes', async (t) => {
  const server = await start(t)
  const acme = await server.company('Acme')
  const readers = [acme.client, await acme.key({ environment: 'test' }), (await server.company('Globex')).client]
  for (const reader of readers) await make(reader, 'contact')

  for (const owner of readers) {
    const { body } = await owner.get('/api-v1-changes?limit=1')
    for (const other of readers.filter((reader) => reader !== owner)) {
      const response = await other.get(`/api-v1-changes?after=${body.cursor}`)

      assertError(response, 410, 'NOT_FOUND', undefined, ['after'])
      assert.equal(response.body.error.details[0].code, 'INVALID_VALUE')
    }
  }
})
