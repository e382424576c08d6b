import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findWorkspaceId } from '../../../src/access/company.ts'
import { eraseFromMessages, findFromMessages } from '../../../src/features/mail/erase-person.ts'
import { type JsonRecord, make } from '../../support/make.ts'
import { deliverMail, newAddress, rawMail, startWithMail } from './mails.ts'

const grace = 'grace@navy.example'
const vassar = 'hopper@vassar.example'

/** A contact in the trash, and what the two steps of its erasure do. */
async function open(t: TestContext) {
  const server = await startWithMail(t)
  const { id: companyId, client } = await server.company('Acme')
  const { address } = await newAddress(client)
  const workspaceId = findWorkspaceId(server.store.access, companyId, 'live')
  const person = await make(client, 'contact', { first_name: 'Grace', emails: [{ email: grace }] })
  const path = `/api-v1-contacts/${person.id}`
  await client.delete(path)
  const deliver = async (from: string): Promise<string> =>
    (await deliverMail(client, address, rawMail({ From: from, To: address }))).body.data.id
  const search = () => findFromMessages(server.store.workspace(workspaceId), person.id)
  const erase = (found: ReturnType<typeof search>) =>
    server.store.write(workspaceId, (tx) => eraseFromMessages(tx, person.id, found).erased.length)
  const left = async () =>
    (await client.get('/api-v1-messages')).body.data.map(({ id }: JsonRecord) => id) as readonly string[]
  return { client, person, path, deliver, search, erase, left }
}

test('A mail that arrives while all messages are searched for a contact is erased with it', async (t) => {
  const { deliver, search, erase, left } = await open(t)
  await deliver(grace)
  const other = await deliver(vassar)

  const found = search()
  await deliver(grace)
  await erase(found)

  assert.deepEqual(await left(), [other])
})

test('A message from an address that a contact gets while all messages are searched for it is erased with it', async (t) => {
  const { client, person, path, deliver, search, erase, left } = await open(t)
  await deliver(vassar)

  const found = search()
  await client.post(`/api-v1-trash/${person.id}/restore`, {})
  assert.equal((await client.post(`${path}/emails`, { email: vassar })).status, 201)
  await client.delete(path)
  await erase(found)

  assert.deepEqual(await left(), [])
})

test('The transaction that erases a contact reads only messages that were found before, or have changed since', async (t) => {
  const { deliver, search, erase, left } = await open(t)
  const earlier = await deliver(grace)

  const found = search()
  await deliver(grace)
  await erase({ ...found, ids: [] })

  assert.deepEqual(await left(), [earlier])
})
