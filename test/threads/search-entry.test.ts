import assert from 'node:assert/strict'
import { test } from 'node:test'
import { organization } from '../../src/crm/organization.ts'
import { searchedOf } from '../../src/engine/finding/list/search.ts'
import { readCreate } from '../../src/engine/records/rows/validate.ts'
import { insert } from '../../src/engine/records/rows/write.ts'
import { Retries } from '../../src/lib/retries.ts'
import { enterDue, updateSearch } from '../../src/threads/search-entry.ts'
import { idsOf, listPath } from '../support/contract.ts'
import { start } from '../support/start.ts'
import { within } from '../support/wait.ts'

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

test('A workspace whose text cannot be added to the search index does not keep the others back, and is tried again later', async (t) => {
  const { store, company } = await start(t)
  const ids: number[] = []
  for (const name of ['Broken', 'Other']) {
    const { client } = await company(name)
    const id = store.access.value<number>('SELECT workspace_id FROM api_key WHERE id = ?', client.keyId)!
    await store.write(id, (tx) => {
      for (let row = 0; row < 1_000; row++) {
        insert(organization, tx, readCreate(organization, tx, { name: `Heu ${row}` }), {})
      }
    })
    ids.push(id)
  }
  const broken = `CREATE TRIGGER broken BEFORE DELETE ON search_pending WHEN old.workspace_id = ${ids[0]}
    BEGIN SELECT raise(ABORT, 'broken'); END`
  await store.writeAccess((tx) => tx.run(broken))
  const again = Promise.withResolvers<void>()
  const updating = { signal: new AbortController().signal, retries: new Retries<number>(), lookAgain: again.resolve }
  const waiting = () => ids.map((id) => store.workspace(id).value<number>(`${pending} AND resource = 'organization'`))

  await updateSearch(store, searched, updating)
  assert.deepEqual(waiting(), [1_000, 0])
  await store.writeAccess((tx) => tx.run('DROP TRIGGER broken'))
  await updateSearch(store, searched, updating)
  assert.deepEqual(waiting(), [1_000, 0], 'it waits')
  await within('it is to be tried again', again.promise)
  await updateSearch(store, searched, updating)

  assert.deepEqual(waiting(), [0, 0])
})
