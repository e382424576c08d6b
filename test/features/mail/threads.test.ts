import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../support/client.ts'
import { make } from '../../support/make.ts'
import type { Server } from '../../support/start.ts'
import { deliverMail, newAddress, rawMail, startWithMail } from './mails.ts'

const referencesIn = ({ store }: Server) => store.access.value('SELECT count(*) FROM mail_reference')

async function open(t: Parameters<typeof startWithMail>[0]) {
  const server = await startWithMail(t)
  const { client } = await server.company('Acme')
  const { address } = await newAddress(client)
  const deliver = async (name: string, answered: string | null = null) => {
    const headers = { 'Message-ID': `<${name}@navy.example>`, 'In-Reply-To': answered && `<${answered}@navy.example>` }
    const { body } = await deliverMail(client, address, rawMail({ ...headers, Subject: name }))
    return body.data
  }
  return { server, client, deliver }
}

async function erase(client: Client, path: string, id: string): Promise<void> {
  await client.delete(`${path}/${id}`)
  assert.equal((await client.delete(`/api-v1-trash/${id}`)).status, 200)
}

test('What leads to a thread is kept while a message of it is shown or in the trash, and then forgotten', async (t) => {
  const { server, client, deliver } = await open(t)
  const first = await deliver('first')
  const reply = await deliver('reply', 'first')
  const other = await deliver('other', 'unknown')
  assert.equal(referencesIn(server), 4)

  await erase(client, '/api-v1-messages', first.id)
  assert.equal(referencesIn(server), 4)
  await client.delete(`/api-v1-messages/${reply.id}`)
  await erase(client, '/api-v1-messages', other.id)
  assert.equal(referencesIn(server), 2, 'the other thread is forgotten')
  await client.post(`/api-v1-trash/${reply.id}/restore`, {})
  const late = await deliver('late', 'first')
  assert.equal(late.thread_id, reply.thread_id)

  for (const { id } of [reply, late]) await erase(client, '/api-v1-messages', id)
  assert.equal(referencesIn(server), 0)
})

test('Erasing a contact forgets the threads that are erased with it', async (t) => {
  const { server, client, deliver } = await open(t)
  const { id } = await make(client, 'contact', { first_name: 'Grace', emails: [{ email: 'grace@navy.example' }] })
  const sender = { From: 'grace@navy.example', To: 'sales@in.kontor.example' }
  const { address } = await newAddress(client)
  await deliverMail(client, address, rawMail({ ...sender, References: '<a@navy.example> <b@navy.example>' }))
  await deliver('with somebody else')
  const before = Number(referencesIn(server))

  await erase(client, '/api-v1-contacts', id)

  assert.equal(referencesIn(server), before - 3)
})
