import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { removeCompany } from '../../src/commands/company/remove-company.ts'
import { withStore } from '../../src/commands/open-store.ts'
import { organization } from '../../src/crm/organization.ts'
import { searchedOf } from '../../src/engine/finding/list/search.ts'
import { listEntries, markRemoved, piecesSql } from '../../src/engine/finding/list/search-erasure.ts'
import { readCreate } from '../../src/engine/records/rows/validate.ts'
import { insert } from '../../src/engine/records/rows/write.ts'
import { storeMove } from '../../src/store/company-move.ts'
import type { Store } from '../../src/store/store.ts'
import { enterDue } from '../../src/threads/search-entry.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { start } from '../support/start.ts'
import { run } from './company-files.ts'

const records = 1_100

/** Adds records to a company until the search index has them, and then one that waits for the index. */
async function fill(store: Store, workspaceId: number): Promise<void> {
  const create = (name: string) =>
    store.write(workspaceId, (tx) => insert(organization, tx, readCreate(organization, tx, { name }), {}))
  await Promise.all(Array.from({ length: records }, (_, at) => create(`Zanzibar ${at}`)))
  await enterDue(store, [searchedOf(organization)], new AbortController().signal)
  await create('Zanzibar')
}

/** How many entries the search index has, and how many pieces. */
function indexedIn(data: string): { entries: unknown; pieces: unknown } {
  const db = new Database(join(data, 'kontor.db'), { readonly: true })
  try {
    db.exec('CREATE VIRTUAL TABLE temp.piece USING fts5vocab(main, search, instance)')
    const count = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
    return { entries: count('search_content'), pieces: count('temp.piece') }
  } finally {
    db.close()
  }
}

test('A company that is removed leaves nothing in the search index, and another company stays in it', async (t) => {
  const directory = temporaryDirectory(t)
  const [data, file] = [join(directory, 'data'), join(directory, 'company')]
  const server = await start(t, { directory: data })
  const workspaceOf = async (name: string) => {
    const { client } = await server.company(name)
    return server.store.access.value<number>('SELECT workspace_id FROM api_key WHERE id = ?', client.keyId)!
  }
  await fill(server.store, await workspaceOf('Stays'))
  const before = indexedIn(data)
  const workspaceId = await workspaceOf('Goes')
  await fill(server.store, workspaceId)
  await server.stop()
  assert.equal(indexedIn(data).entries, 2 * records)
  const id = await withStore(data, ({ access }) =>
    access.value<string>('SELECT company_id FROM workspace WHERE id = ?', workspaceId),
  )

  await run('export', id!, file, '--data', data, '--json')
  await run('move', id!, '--to', 'bb', '--data', data, '--json')
  await run('delete', id!, '--data', data, '--json')

  assert.deepEqual(indexedIn(data), before)
})

/** A server with a company that has many entries in the search index, and what is in there. */
async function filled(t: TestContext) {
  const server = await start(t)
  const { client } = await server.company('Goes')
  const { store } = server
  const workspaceId = store.access.value<number>('SELECT workspace_id FROM api_key WHERE id = ?', client.keyId)!
  await fill(store, workspaceId)
  const id = store.access.value<string>('SELECT company_id FROM workspace WHERE id = ?', workspaceId)!
  const bytes = () => store.access.value<number>('SELECT sum(length(block)) FROM search_data')!
  const remove = () =>
    removeCompany(
      store,
      id,
      () => true,
      async () => {},
    )
  return { store, workspaceId, id, bytes, remove }
}

test('To remove a company from the search index takes few writes of its pages, and nothing of it stays in them', async (t) => {
  const { store, bytes, remove } = await filled(t)
  const countChanges = () => store.access.value<number>('SELECT total_changes()')!
  const [bytesBefore, before] = [bytes(), countChanges()]

  await remove()

  const [left, changes] = [bytes(), countChanges() - before]
  assert.ok(changes < 10 * records, `${changes} changes of rows and pages`)
  assert.ok(left < bytesBefore / 20, `${left} of ${bytesBefore} bytes are left`)
})

test('A removal that is repeated also leaves nothing of what one before has marked in the search index', async (t) => {
  const { store, workspaceId, id, bytes, remove } = await filled(t)
  const before = bytes()
  await store.writeAccess((tx) => {
    storeMove(tx, id, { state: 'removing', by: randomUUID() })
    tx.run(piecesSql)
  })
  for (const entries of listEntries(store.workspace(workspaceId))) {
    await store.writeAccess((tx) => markRemoved(tx, entries))
  }

  await remove()

  assert.ok(bytes() < before / 20, `${bytes()} of ${before} bytes are left`)
})
