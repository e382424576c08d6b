import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

const run = promisify(execFile)

/** decision T3 */
test('kontor check finds a total that does not follow its line item, and a value that is not the sum', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const deal = await make(client, 'deal')
  const item = await make(client, 'line_item', { deal_id: deal.id, quantity: 3, unit_price: 0.1 })
  await server.stop()
  const check = () => run(process.execPath, ['src/main.ts', 'check', '--data', server.directory])

  assert.match((await check()).stdout, /is sound/)
  const db = new Database(join(server.directory, 'kontor.db'))
  db.exec("UPDATE line_item SET total = '0.31', total_key = 0.31")
  db.close()

  const { stderr } = await check().catch((error) => error)
  assert.match(stderr, new RegExp(`line_item ${item.id} has a wrong total`))
  assert.match(stderr, new RegExp(`deal ${deal.id} has a value that is not the sum of its line items`))
})
