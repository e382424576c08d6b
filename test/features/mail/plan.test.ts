import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../../support/client.ts'
import { storedIn } from '../files/files.ts'
import { deliverMail, newAddress, rawMail, startWithMail } from './mails.ts'

test('A company that may store no more refuses mail', async (t) => {
  const server = await startWithMail(t)
  const { client } = await server.company('Acme', 'starter')
  const { address } = await newAddress(client)
  await server.store.writeAccess((tx) => tx.run("UPDATE plan SET max_storage_bytes = 100 WHERE name = 'starter'"))

  assertError(await deliverMail(client, address), 403, 'PLAN_LIMIT_EXCEEDED')

  const { data } = (await client.get('/api-v1-mail-log')).body
  assert.deepEqual([data[0].outcome, data[0].message_id], ['refused', null])
})

test('Mails that arrive at once take no more room than the plan has', async (t) => {
  const server = await startWithMail(t)
  const { client } = await server.company('Acme', 'starter')
  const { address } = await newAddress(client)
  await server.store.writeAccess((tx) => tx.run("UPDATE plan SET max_storage_bytes = 1000 WHERE name = 'starter'"))

  const mails = Array.from({ length: 5 }, () => deliverMail(client, address, rawMail({}, 'x'.repeat(400))))
  const statuses = (await Promise.all(mails)).map(({ status }) => status)

  assert.deepEqual(statuses.sort(), [201, 403, 403, 403, 403])
  assert.ok((await client.get('/api-v1-me')).body.data.usage.max_storage_bytes <= 1_000)
  assert.equal(storedIn(server.directory).length, 1)
})
