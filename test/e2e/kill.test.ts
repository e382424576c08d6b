import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { type Client, clientFor } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { bundle, firstClient, launch } from '../support/program.ts'

const rounds = 4
const writers = 16

test('kill -9 under concurrent writes loses nothing that was acknowledged', async (t) => {
  const data = temporaryDirectory(t)
  const serve = ['serve', '--data', data, '--port', '0', '--rate-limits', 'off']
  const acknowledged = new Set<string>()
  let client: Client | undefined
  for (let round = 1; round <= rounds; round++) {
    const { first, stop } = await launch(t, bundle, serve)
    client = client
      ? clientFor(first.url!, { id: client.keyId, key: client.key })
      : await firstClient(bundle, data, first.url!)
    const writing = Promise.allSettled(Array.from({ length: writers }, () => writeUntilRefused(client!, acknowledged)))
    const enough = acknowledged.size + 150 * round
    while (acknowledged.size < enough) await new Promise(setImmediate)

    await stop('SIGKILL')
    await writing
  }
  const { first, stop } = await launch(t, bundle, serve)
  const found = await allIds(clientFor(first.url!, { id: client!.keyId, key: client!.key }))
  await stop()

  assert.ok(acknowledged.size >= 150)
  assert.deepEqual(
    [...acknowledged].filter((id) => !found.has(id)),
    [],
  )
  const db = new Database(join(data, 'kontor.db'), { readonly: true })
  assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
  assert.deepEqual(db.pragma('foreign_key_check'), [])
  db.close()
})

async function writeUntilRefused(client: Client, acknowledged: Set<string>): Promise<void> {
  for (;;) acknowledged.add((await make(client, 'contact', { emails: [{ email: 'ada@acme.example' }] })).id)
}

async function allIds(client: Client): Promise<Set<string>> {
  const ids = new Set<string>()
  let path = '/api-v1-contacts?limit=100'
  for (;;) {
    const { body } = await client.get(path)
    for (const { id } of body.data) ids.add(id)
    if (!body.pagination.has_more) return ids
    path = `/api-v1-contacts?limit=100&cursor=${body.pagination.next_cursor}`
  }
}
