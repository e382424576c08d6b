import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findWorkspaceId } from '../../../src/access/company.ts'
import { verifyMade } from '../../../src/changes/readers/batch-reader.ts'
import { matchLater } from '../../../src/features/mail/match-later.ts'
import type { Client } from '../../support/client.ts'
import { type JsonRecord, make } from '../../support/make.ts'
import { until } from '../../support/wait.ts'
import { deliverMail, type MailHeaders, newAddress, rawMail, startWithMail, untilMatching } from './mails.ts'

const grace = 'grace@navy.example'
const alan = 'alan@bletchley.example'

/** A company that gets mail. */
async function open(t: TestContext) {
  const server = await startWithMail(t)
  const { id: companyId, client } = await server.company('Acme')
  const { address } = await newAddress(client)
  const deliver = async (headers: MailHeaders = {}, body?: string): Promise<string> => {
    const all = { From: `Grace Hopper <${grace}>`, To: address, ...headers }
    return (await deliverMail(client, address, rawMail(all, body))).body.data.id
  }
  const read = async (id: string): Promise<JsonRecord> => (await client.get(`/api-v1-messages/${id}`)).body.data
  const linksOf = async (id: string) => {
    const { status, contact_ids } = await read(id)
    return { status, contact_ids }
  }
  const workspaceId = findWorkspaceId(server.store.access, companyId, 'live')
  const faults = () => [...verifyMade(matchLater, server.store.workspace(workspaceId))]
  return { server, client, address, deliver, read, linksOf, faults }
}

function makePerson(client: Client, email: string, values = {}): Promise<JsonRecord> {
  return make(client, 'contact', { first_name: 'Grace', last_name: 'Hopper', emails: [{ email }], ...values })
}

async function erase(client: Client, contactId: string): Promise<void> {
  assert.equal((await client.delete(`/api-v1-contacts/${contactId}`)).status, 200)
  assert.equal((await client.delete(`/api-v1-trash/${contactId}`)).status, 200)
}

test('A message whose only contact is erased is unmatched, and belongs to the contact that gets another address of it', async (t) => {
  const { server, client, address, deliver, linksOf, faults } = await open(t)
  const person = await makePerson(client, grace)
  const id = await deliver({ To: `${address}, ${alan}` })
  assert.deepEqual(await linksOf(id), { status: 'matched', contact_ids: [person.id] })

  await erase(client, person.id)

  assert.deepEqual(await linksOf(id), { status: 'unmatched', contact_ids: [] })
  const { data } = (await client.get('/api-v1-messages?status=unmatched')).body
  assert.deepEqual(
    data.map((each: JsonRecord) => each.id),
    [id],
  )
  await untilMatching(server)
  const other = await make(client, 'contact', { first_name: 'Alan', emails: [{ email: alan }] })
  await until('the message is linked', () => linksOf(id), { is: ({ status }) => status === 'matched' })
  assert.deepEqual(await linksOf(id), { status: 'matched', contact_ids: [other.id] })
  assert.deepEqual(faults(), [])
})

test('A message whose only contact is erased belongs to the contact that has got another address of it since', async (t) => {
  const { server, client, address, deliver, linksOf, faults } = await open(t)
  const person = await makePerson(client, grace)
  const id = await deliver({ To: `${address}, ${alan}` })
  const other = await make(client, 'contact', { first_name: 'Alan', emails: [{ email: alan }] })

  await erase(client, person.id)

  assert.deepEqual(await linksOf(id), { status: 'matched', contact_ids: [other.id] })
  await untilMatching(server)
  assert.deepEqual(faults(), [])
})
