import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { schemaSql } from '../../../src/packaging/embedded.ts'
import type { SlowStatement } from '../../../src/store/slow.ts'
import { type Client, clientFor } from '../../support/client.ts'
import { type Server, start } from '../../support/start.ts'
import { deliverMail, mailWithFile, newAddress, startWithMail } from '../mail/mails.ts'
import { upload, uploaded } from './files.ts'

const usedBy = async (client: Client): Promise<number> =>
  (await client.get('/api-v1-me')).body.data.usage.max_storage_bytes

/** The sum over all rows. */
function summedUp({ store }: Server): number {
  const sql = 'SELECT (SELECT sum(bytes) FROM file) + (SELECT coalesce(sum(original_bytes), 0) FROM message)'
  return store.access.value<number>(sql)!
}

test('The stored bytes of a company follow uploads, mails, the trash, erasures and undo', async (t) => {
  const server = await startWithMail(t)
  const { client, key } = await server.company('Acme')
  const { address } = await newAddress(client)
  await uploaded(client, 'first')
  const { id } = await uploaded(client, 'second', { name: 'second.pdf' })
  const inTest = await upload(await key({ environment: 'test' }), 'third')
  const mail = await deliverMail(client, address, mailWithFile('offer.pdf', 'x'.repeat(100)))
  assert.deepEqual([inTest.status, mail.status], [201, 201])
  const all = await usedBy(client)
  const originals = server.store.access.value<number>('SELECT sum(original_bytes) FROM message')!
  assert.ok(originals > 0)
  assert.equal(all, summedUp(server))

  const removed = await client.delete(`/api-v1-files/${id}`)
  assert.equal(await usedBy(client), all, 'the trash counts')
  await client.post('/api-v1-undo', { request_id: removed.headers.get('x-request-id') })
  assert.equal(await usedBy(client), all)
  await client.delete(`/api-v1-files/${id}`)
  await client.delete(`/api-v1-trash/${id}`)
  assert.equal(await usedBy(client), all - 6)
  const message = `/api-v1-messages/${mail.body.data.id}`
  const [attached] = (await client.get(`${message}?include=files`)).body.data.files
  await client.delete(`/api-v1-files/${attached.id}`)
  await client.delete(`/api-v1-trash/${attached.id}`)
  assert.equal(await usedBy(client), all - 6 - attached.bytes - originals, 'the original is erased with its attachment')
  await client.delete(message)
  await client.delete(`/api-v1-trash/${mail.body.data.id}`)

  assert.equal(await usedBy(client), 10)
  assert.equal(summedUp(server), 10)
})

test('No statement sums up all files of a company', async (t) => {
  const statements: SlowStatement[] = []
  const server = await start(t, { slow: { ms: 0, report: (statement) => statements.push(statement) } })
  const { client } = await server.company('Acme', 'starter')
  await server.store.writeAccess((tx) => tx.run("UPDATE plan SET max_storage_bytes = 10 WHERE name = 'starter'"))

  await uploaded(client, 'first')
  assert.equal(await usedBy(client), 5)

  const sums = statements.filter(({ sql }) => sql.includes('sum(bytes)'))
  assert.ok(sums.length > 1)
  for (const { sql } of sums) assert.match(sql, /JOIN stored_bytes/)
})

test('A database from before the stored bytes has them after its upgrade', async (t) => {
  const server = await startWithMail(t)
  const { client, key } = await server.company('Acme')
  const { address } = await newAddress(client)
  const { id } = await uploaded(client, 'first')
  await client.delete(`/api-v1-files/${id}`)
  await upload(await key({ environment: 'test' }), 'second')
  await deliverMail(client, address)
  const before = await usedBy(client)
  await server.stop()
  const db = new Database(server.path)
  const triggers = [...schemaSql.matchAll(/CREATE TRIGGER (\w+_bytes_\w+)/g)].map(([, name]) => name!)
  db.exec(
    `${triggers.map((name) => `DROP TRIGGER ${name};`).join('')} DROP TABLE stored_bytes; PRAGMA user_version = 37`,
  )
  db.close()

  const upgraded = await startWithMail(t, { directory: server.directory })

  const again = clientFor(upgraded.url, { id: client.keyId, key: client.key })
  assert.equal(await usedBy(again), before)
  await uploaded(again, 'third')
  assert.equal(await usedBy(again), before + 5)
})
