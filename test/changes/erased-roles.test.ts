import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWorkspaceId } from '../../src/access/company.ts'
import { verifyLog } from '../../src/changes/verify.ts'
import { deal } from '../../src/crm/deal.ts'
import { loggedResources } from '../../src/features/index.ts'
import { readChanges } from '../support/changes.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { untilErased } from './bytes.ts'

const words = {
  'the name': 'ჟღრწყპ',
  'a former role': 'Qxwvzbjfpk',
  'the role': 'Kzwqjvxprq',
  'a removed role': 'Pjzqxvkwbf',
}

test('An erasure of a person overwrites the roles on deals, in the log and of removed people too, and keeps the other people', async (t) => {
  const server = await start(t, { work: 'thread' })
  const { id: companyId, client } = await server.company('Acme')
  const person = await make(client, 'contact', { first_name: words['the name'] })
  const other = await make(client, 'contact', { first_name: 'Grace' })
  const [kept, left] = [
    await make(client, 'deal', { contact_id: other.id }),
    await make(client, 'deal', { value: 0.1 }),
  ]
  const put = (dealId: string, contactId: string, role: string) =>
    client.put(`/api-v1-deals/${dealId}/contacts/${contactId}`, { role })
  await put(kept.id, other.id, 'Buyer')
  await put(kept.id, person.id, words['a former role'])
  await put(kept.id, person.id, words['the role'])
  await put(kept.id, other.id, 'Decides; pays')
  await put(left.id, person.id, words['a removed role'])
  await client.delete(`/api-v1-deals/${left.id}/contacts/${person.id}`)
  await client.delete(`/api-v1-deals/${left.id}`)

  await client.delete(`/api-v1-contacts/${person.id}`)
  assert.equal((await client.delete(`/api-v1-trash/${person.id}`)).status, 200)

  await untilErased(server.path, words)
  const logged = (await readChanges(client)).filter(({ record_id }: JsonRecord) => record_id === kept.id)
  const previous = logged.flatMap((each: JsonRecord) => (each.previous?.contacts ? [each.previous.contacts] : []))
  const [a, b] = [other.id, person.id]
  assert.deepEqual(previous, [
    [{ id: a, role: null }],
    [{ id: a, role: 'Buyer' }],
    [
      { id: a, role: 'Buyer' },
      { id: b, role: null },
    ],
    [
      { id: a, role: 'Buyer' },
      { id: b, role: null },
    ],
  ])
  const { contacts } = (await client.get(`/api-v1-deals/${kept.id}?include=contacts`)).body.data
  assert.deepEqual(
    contacts.map(({ id, role }: JsonRecord) => [id, role]),
    [[a, 'Decides; pays']],
  )
  const reader = server.store.workspace(findWorkspaceId(server.store.access, companyId, 'live'))
  assert.deepEqual([...deal.verify!(reader), ...verifyLog(loggedResources, reader)], [])
})

test('An erasure of a person overwrites what is written about it while it is searched for in the log', async (t) => {
  const server = await start(t, { work: 'thread' })
  const { client } = await server.company('Acme')
  const person = await make(client, 'contact')
  const other = await make(client, 'contact')
  const deal = await make(client, 'deal', { contact_id: other.id })
  const put = (contactId: string, role: string) =>
    client.put(`/api-v1-deals/${deal.id}/contacts/${contactId}`, { role })
  await put(person.id, words['the role'])
  const filling = 'x'.repeat(500)
  for (let number = 0; number < 60; number++) await put((await make(client, 'contact')).id, filling)
  await client.delete(`/api-v1-contacts/${person.id}`)

  let isErased = false
  const change = async (name: string) => {
    for (let number = 0; !isErased; number++) assert.equal((await put(other.id, `${name} ${number}`)).status, 200)
  }
  const changing = ['Buyer', 'Payer', 'User', 'Clerk'].map(change)
  const { status } = await client.delete(`/api-v1-trash/${person.id}`)
  isErased = true
  await Promise.all(changing)

  assert.equal(status, 200)
  await untilErased(server.path, { 'the role': words['the role'] })
})
