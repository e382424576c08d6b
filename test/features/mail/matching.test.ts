import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findWorkspaceId } from '../../../src/access/company.ts'
import { hasWork, planBatch, verifyMade } from '../../../src/changes/readers/batch-reader.ts'
import { matchLater } from '../../../src/features/mail/match-later.ts'
import { make } from '../../support/make.ts'
import { until } from '../../support/wait.ts'
import { deliverMail, type MailHeaders, newAddress, rawMail, startWithMail, untilMatching } from './mails.ts'

test('A contact that gets an address later has its unmatched messages', async (t) => {
  const { client } = await (await startWithMail(t)).company('Acme')
  const { address } = await newAddress(client)
  const { body } = await deliverMail(client, address)
  assert.equal(body.data.status, 'unmatched')

  const contact = await make(client, 'contact', { first_name: 'Grace' })
  await client.post(`/api-v1-contacts/${contact.id}/emails`, { email: 'grace@navy.example' })

  const linked = await until('the message is linked', async () => {
    const { data } = (await client.get(`/api-v1-messages/${body.data.id}`)).body
    return data.status === 'matched' && data
  })
  assert.deepEqual(linked.contact_ids, [contact.id])
})

test('Mail of a contact whose organization is deleted is stored and linked without the organization, also what arrived before', async (t) => {
  const { client } = await (await startWithMail(t)).company('Acme')
  const { address } = await newAddress(client)
  const before = (await deliverMail(client, address)).body.data
  const { id: organization_id } = await make(client, 'organization', { name: 'Navy' })
  const contact = await make(client, 'contact', { first_name: 'Grace', organization_id })
  await client.delete(`/api-v1-organizations/${organization_id}`)
  await client.post(`/api-v1-contacts/${contact.id}/emails`, { email: 'grace@navy.example' })

  const { status, body } = await deliverMail(client, address)
  assert.equal(status, 201)
  assert.deepEqual([body.data.contact_ids, body.data.organization_id], [[contact.id], null])
  const linked = await until('the message is linked', async () => {
    const { data } = (await client.get(`/api-v1-messages/${before.id}`)).body
    return data.status === 'matched' && data
  })
  assert.deepEqual([linked.contact_ids, linked.organization_id], [[contact.id], null])
})

test('A message whose contact was undone belongs to the contact that is created again, or restored', async (t) => {
  const server = await startWithMail(t)
  const { client } = await server.company('Acme')
  const { address } = await newAddress(client)
  const { id } = (await deliverMail(client, address)).body.data
  await untilMatching(server)
  const untilIn = (contactIds: string[]) =>
    until(`the message belongs to ${contactIds}`, async () => {
      const { contact_ids } = (await client.get(`/api-v1-messages/${id}`)).body.data
      return JSON.stringify(contact_ids) === JSON.stringify(contactIds)
    })
  const grace = { first_name: 'Grace', last_name: 'Hopper', emails: [{ email: 'grace@navy.example' }] }
  const create = async () => {
    const { body, headers } = await client.post('/api-v1-contacts', grace)
    await untilIn([body.data.id])
    const undone = await client.post('/api-v1-undo', { request_id: headers.get('x-request-id') })
    assert.equal(undone.status, 200)
    await untilIn([])
    return body.data.id
  }
  const first = await create()

  await create()

  await client.post(`/api-v1-trash/${first}/restore`, {})
  await untilIn([first])
})

const emails = [{ email: 'grace@navy.example' }]

/** A message from that address, and `link`, without which nothing is linked. */
async function openByHand(t: TestContext, headers: MailHeaders = {}) {
  const server = await startWithMail(t, { work: 'nowhere' })
  const { id: companyId, client } = await server.company('Acme')
  const workspaceId = findWorkspaceId(server.store.access, companyId, 'live')
  const { address } = await newAddress(client)
  const message = (await deliverMail(client, address, rawMail(headers))).body.data.id
  const contactIds = async () => (await client.get(`/api-v1-messages/${message}`)).body.data.contact_ids
  const remove = () => client.delete(`/api-v1-messages/${message}`)
  const restore = () => client.post(`/api-v1-trash/${message}/restore`, {})
  const faults = () => [...verifyMade(matchLater, server.store.workspace(workspaceId))]
  const link = async (meanwhile = async () => {}) => {
    while (hasWork(matchLater, server.store.workspace(workspaceId))) {
      const { writes } = planBatch(matchLater, server.store.workspace(workspaceId))!
      await meanwhile()
      for (const write of writes) await server.store.write(workspaceId, write)
    }
  }
  return { client, address, contactIds, remove, restore, faults, link }
}

test('An undo of a contact takes back what was linked to it before anybody followed the changes', async (t) => {
  const { client, contactIds, link } = await openByHand(t)
  const { body, headers } = await client.post('/api-v1-contacts', { first_name: 'Grace', emails })
  await link()
  assert.deepEqual(await contactIds(), [body.data.id])

  await client.post('/api-v1-undo', { request_id: headers.get('x-request-id') })

  assert.deepEqual(await contactIds(), [])
})

test('A message whose contact is deleted before it is linked waits for the next contact', async (t) => {
  const { client, contactIds, link } = await openByHand(t)
  await link()
  const gone = await make(client, 'contact', { emails })
  await link(async () => void (await client.delete(`/api-v1-contacts/${gone.id}`)))

  const { id } = await make(client, 'contact', { emails })
  await link()

  assert.deepEqual(await contactIds(), [id])
})

test('A message that is restored belongs to the contact that got its address meanwhile', async (t) => {
  const { client, contactIds, remove, restore, faults, link } = await openByHand(t)
  await remove()
  const { id } = await make(client, 'contact', { emails })
  await link()

  await restore()
  await link()

  assert.deepEqual(await contactIds(), [id])
  assert.deepEqual(faults(), [])
})

test('A message that is restored belongs to the contact that gets its address afterwards', async (t) => {
  const { client, contactIds, remove, restore, link } = await openByHand(t)
  await link()
  const gone = await make(client, 'contact', { emails })
  await link(async () => void (await remove()))
  await client.delete(`/api-v1-contacts/${gone.id}`)
  await restore()
  await link()
  assert.deepEqual(await contactIds(), [])

  const { id } = await make(client, 'contact', { emails })
  await link()

  assert.deepEqual(await contactIds(), [id])
})

test('A message that an undo takes from a contact belongs to the contact that has got another address of it', async (t) => {
  const { client, address, contactIds, faults, link } = await openByHand(t, { To: 'alan@bletchley.example' })
  await deliverMail(client, address, rawMail({ From: 'kurt@wien.example' })) // which stays unmatched
  const undone = await client.post('/api-v1-contacts', {
    first_name: 'Alan',
    emails: [{ email: 'alan@bletchley.example' }],
  })
  await link()
  const { id } = await make(client, 'contact', { emails })
  await link()
  assert.deepEqual(await contactIds(), [undone.body.data.id])

  await client.post('/api-v1-undo', { request_id: undone.headers.get('x-request-id') })
  await link()

  assert.deepEqual(await contactIds(), [id])
  assert.deepEqual(faults(), [])
})

test('The domain of an unknown sender suggests an organization, unless everybody can have an address there', async (t) => {
  const { client } = await (await startWithMail(t)).company('Acme')
  const navy = await make(client, 'organization', { name: 'Navy', domain: 'Navy.example' })
  await make(client, 'organization', { name: 'Mail', domain: 'gmail.com' })
  const { address } = await newAddress(client)

  const known = await deliverMail(client, address)
  const everybody = await deliverMail(client, address, rawMail({ From: 'grace@gmail.com' }))

  assert.deepEqual([known.body.data.suggested_organization_id, known.body.data.organization_id], [navy.id, null])
  assert.equal(everybody.body.data.suggested_organization_id, null)
})
