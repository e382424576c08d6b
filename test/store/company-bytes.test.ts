import assert from 'node:assert/strict'
import { test } from 'node:test'
import { organization } from '../../src/crm/organization.ts'
import { enterPending, searchedOf } from '../../src/engine/finding/list/search.ts'
import { readCreate } from '../../src/engine/records/rows/validate.ts'
import { insert } from '../../src/engine/records/rows/write.ts'
import { storeMove } from '../../src/store/company-move.ts'
import type { Store } from '../../src/store/store.ts'
import { findInFiles, untilErased } from '../changes/bytes.ts'
import { start } from '../support/start.ts'
import { run } from './company-files.ts'

/** A Georgian word: nothing else has its pieces. */
const words = { 'the name': 'ძხჭჰშზ' }

/** Adds records to a company and to the search index. */
async function fill(store: Store, workspaceId: number, name: string, records: number): Promise<void> {
  for (let at = 0; at < records; at += 100) {
    await store.write(workspaceId, (tx) => {
      const left = Math.min(100, records - at)
      const input = (row: number) => readCreate(organization, tx, { name: `${name} ${at + row}` })
      for (let row = 0; row < left; row++) insert(organization, tx, input(row), {})
      enterPending(searchedOf(organization), tx, left)
    })
  }
}

for (const [title, records] of [
  ['a small part of the search index, whose other parts are not written', 3],
  ['much of the search index', 600],
] as const) {
  test(`Within a minute, the files of the database have no byte of a company that was removed, which had ${title}`, {
    timeout: 120_000,
  }, async (t) => {
    const server = await start(t, { work: 'thread' })
    const { store } = server
    const workspaceOf = async (name: string) => {
      const { client } = await server.company(name)
      return store.access.value<number>('SELECT workspace_id FROM api_key WHERE id = ?', client.keyId)!
    }
    await fill(store, await workspaceOf('Stays'), 'Zanzibar', 1_000)
    const workspaceId = await workspaceOf('Goes')
    await fill(store, workspaceId, words['the name'], records)
    const id = store.access.value<string>('SELECT company_id FROM workspace WHERE id = ?', workspaceId)!
    await store.writeAccess((tx) => storeMove(tx, id, { state: 'moved', to: 'bb' }))
    const segments = () => store.access.values<number>('SELECT DISTINCT segid FROM search_idx')
    const before = segments()
    assert.ok(findInFiles(server.path, words).length > 0)

    await run('delete', id, '--data', server.directory, '--json')

    store.renewSnapshot()
    assert.equal(JSON.stringify(segments()) === JSON.stringify(before), records === 3)
    await untilErased(server.path, words)
  })
}
