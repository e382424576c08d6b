import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { writePart } from '../../src/commands/company/remove-company.ts'
import { withStore } from '../../src/commands/open-store.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { noDurability } from '../../src/store/durability.ts'
import { openConnection } from '../../src/store/open.ts'
import { Store } from '../../src/store/store.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { run } from './company-files.ts'

const partMs = 60
/** A timer may end so much early. */
const earlyMs = 1

test('After each part of a company that is moved, others can write for as long as it took', async () => {
  const db = openConnection(':memory:', { busyTimeoutMs: 0, synchronous: 'NORMAL', create: true })
  const store = new Store({ db, clock: systemClock, durability: noDurability })
  const begin = performance.now()

  await writePart(store, () => {
    const end = performance.now() + partMs
    while (performance.now() < end);
  })

  assert.ok(performance.now() - begin >= 2 * partMs - earlyMs)
  await store.close()
})

test('A company whose texts, metadata and lists are as long as requests allow is moved', async (t) => {
  const directory = temporaryDirectory(t)
  const [data, file, target] = ['data', 'company', 'target'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ]
  const server = await start(t, { directory: data })
  const client = await server.client()
  const emails = Array.from({ length: 100 }, (_, at) => ({ email: `${at}@${`${'x'.repeat(60)}.`.repeat(3)}example` }))
  const metadata = { long: 'x'.repeat(65_000) }
  await make(client, 'contact', { last_name: '😀'.repeat(500), emails, metadata })
  const { id } = await make(client, 'task', { description: '😀'.repeat(100_000) })
  const changed = await client.patch(`/api-v1-tasks/${id}`, { description: '\u0001'.repeat(100_000) })
  assert.equal(changed.status, 200)
  await server.stop()
  const company = await withStore(data, ({ access }) => access.value<string>('SELECT id FROM company')!)
  await withStore(target, () => {}, { create: true })

  await run('export', company, file, '--data', data, '--json')
  await run('import', file, '--data', target, '--json')

  const count = (table: string) => withStore(target, ({ access }) => access.value(`SELECT count(*) FROM ${table}`))
  assert.deepEqual([await count('contact_email'), await count('task')], [100, 1])
})
