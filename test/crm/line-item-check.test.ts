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

/** decisions T2 and T5 */
test('kontor check finds a deal whose contact is not among its people, and one that entered its stage after its last change', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const contact = await make(client, 'contact')
  const deal = await make(client, 'deal', { contact_id: contact.id })
  const moved = await make(client, 'deal')
  const gone = await make(client, 'contact')
  await make(client, 'deal', { contact_id: gone.id })
  await client.delete(`/api-v1-contacts/${gone.id}`)
  const erased = await make(client, 'contact')
  await make(client, 'deal', { contact_id: erased.id })
  await client.delete(`/api-v1-contacts/${erased.id}`)
  await client.delete(`/api-v1-trash/${erased.id}`)
  await server.stop()
  const check = () => run(process.execPath, ['src/main.ts', 'check', '--data', server.directory])

  assert.match((await check()).stdout, /is sound/)
  const db = new Database(join(server.directory, 'kontor.db'))
  db.exec('DELETE FROM deal_contact')
  db.prepare("UPDATE deal SET entered_at = '9000-01-01T00:00:00.000Z' WHERE id = ?").run(moved.id)
  db.close()

  const { stderr } = await check().catch((error) => error)
  assert.match(stderr, new RegExp(`deal ${deal.id} has a contact that is not among its people`))
  assert.match(stderr, new RegExp(`deal ${moved.id} entered its stage after its last change`))
})
