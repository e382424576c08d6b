import assert from 'node:assert/strict'
import { test } from 'node:test'
import { organization } from '../../src/crm/organization.ts'
import { searchedOf } from '../../src/engine/finding/list/search.ts'
import { readCreate } from '../../src/engine/records/rows/validate.ts'
import { insert } from '../../src/engine/records/rows/write.ts'
import { enterDue } from '../../src/threads/search-entry.ts'
import { idsOf, listPath } from '../support/contract.ts'
import { start } from '../support/start.ts'

const searched = [searchedOf(organization)]
const pending = 'SELECT count(*) FROM search_pending WHERE workspace_id = :workspace'
const stages = 7 // and their pipeline

test('Pending text of large workspaces is added to the search index, found there, and updated when it changes', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const ofKey = 'SELECT workspace_id FROM api_key WHERE id = ?'
  const workspaceId = server.store.access.value<number>(ofKey, client.keyId)!
  const waiting = () => server.store.workspace(workspaceId).value<number>(pending)
  const create = (name: string) =>
    server.store.write(workspaceId, (tx) => insert(organization, tx, readCreate(organization, tx, { name }), {}).id)
  const found = async (name: string) =>
    idsOf((await client.get(listPath(organization, { 'name[like]': name }))).body.data)
  const needle = await create('Grüne Nadel 😀')
  for (let row = 0; row < 2_100; row++) void create(`Heu ${row}`)
  await create('Heu')

  await enterDue(server.store, searched, new AbortController().signal)

  assert.equal(waiting(), stages, 'the pipeline is too small to be entered')
  assert.deepEqual(await found('NADEL'), [needle])
  assert.deepEqual(await found('nadel 😀'), [needle])
  await client.patch(`/${organization.path}/${needle}`, { name: 'Stecknagel' })
  assert.deepEqual(await found('nadel'), [])
  assert.deepEqual(await found('cknag'), [needle])
  assert.equal(waiting(), stages + 1)
  await client.delete(`/${organization.path}/${needle}`)
  assert.deepEqual(await found('cknag'), [])
})

test('A search finds nothing of another workspace', async (t) => {
  const server = await start(t)
  const [acme, other] = [await server.company('Acme'), await server.company('Other')]
  for (const [{ client }, word] of [
    [acme, 'Nadel'],
    [other, 'Faden'],
  ] as const) {
    const ofKey = 'SELECT workspace_id FROM api_key WHERE id = ?'
    const workspaceId = server.store.access.value<number>(ofKey, client.keyId)!
    await server.store.write(workspaceId, (tx) => {
      for (let row = 0; row < 2_100; row++)
        insert(organization, tx, readCreate(organization, tx, { name: `${word} ${row}` }), {})
    })
  }

  await enterDue(server.store, searched, new AbortController().signal)

  const total = async (name: string) =>
    (await acme.client.get(listPath(organization, { 'name[like]': name }))).body.pagination.total
  assert.equal(await total('nadel 20'), 111)
  assert.equal(await total('faden'), 0)
})
