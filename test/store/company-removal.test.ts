import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { removeCompany } from '../../src/commands/company/remove-company.ts'
import { withStore } from '../../src/commands/open-store.ts'
import { organization } from '../../src/crm/organization.ts'
import { searchedOf } from '../../src/engine/finding/list/search.ts'
import { readCreate } from '../../src/engine/records/rows/validate.ts'
import { insert } from '../../src/engine/records/rows/write.ts'
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

test('To remove a company from the search index takes few writes of its pages, and nothing of it stays in them', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Goes')
  const { store } = server
  const workspaceId = store.access.value<number>('SELECT workspace_id FROM api_key WHERE id = ?', client.keyId)!
  await fill(store, workspaceId)
  const id = store.access.value<string>('SELECT company_id FROM workspace WHERE id = ?', workspaceId)!
  const inSearch = { bytes: 'SELECT sum(length(block)) FROM search_data', changes: 'SELECT total_changes()' }
  const measure = () => [inSearch.bytes, inSearch.changes].map((sql) => store.access.value<number>(sql)!)
  const [bytes, before] = measure() as [number, number]

  await removeCompany(
    store,
    id,
    () => true,
    async () => {},
  )

  const [left, after] = measure() as [number, number]
  const changes = after - before
  assert.ok(changes < 10 * records, `${changes} changes of rows and pages`)
  assert.ok(left < bytes / 20, `${left} of ${bytes} bytes are left`)
})
