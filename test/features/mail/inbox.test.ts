import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWorkspaceId } from '../../../src/access/company.ts'
import { verifyLog } from '../../../src/changes/verify.ts'
import { loggedResources } from '../../../src/features/index.ts'
import { assertError, clientFor } from '../../support/client.ts'
import { openMailbox } from '../../support/mailbox.ts'
import { type JsonRecord, make } from '../../support/make.ts'
import { newColleague, newOwner, type Visitor } from '../../support/visitor.ts'
import { until } from '../../support/wait.ts'
import { deliverAs, rawMail, startWithMail, untilMatching } from './mails.ts'

const path = '/api-v1-mail-ignored-senders'
const from = (address: string) => ({ from: { name: null, address } })

async function waiting(who: Pick<Visitor, 'get'>): Promise<string[]> {
  const { status, body } = await who.get('/api-v1-messages?is_waiting=true')
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.pagination.total, body.data.length)
  return body.data.map(({ subject }: JsonRecord) => subject).sort()
}

test('What is held or unmatched waits, until it is on a contact, an organization or a deal', async (t) => {
  const { owner, deliver } = await openMailbox(t)
  const { id: organization_id } = await make(owner, 'organization', { name: 'Nordwind' })
  const { id: contact_id } = await make(owner, 'contact', { first_name: 'Grace' })
  const { id: deal_id } = await make(owner, 'deal', { title: 'Hampers' })
  const ids = []
  for (const subject of ['A', 'B', 'C']) ids.push(await deliver({ subject }))
  await deliver({ subject: 'Held', status: 'held', dealId: deal_id })
  await deliver({ subject: 'Matched', contactIds: [contact_id] })
  assert.deepEqual(await waiting(owner), ['A', 'B', 'C', 'Held'])

  const given = [{ organization_id }, { contact_ids: [contact_id] }, { deal_id }]
  for (const [at, body] of given.entries()) await owner.patch(`/api-v1-messages/${ids[at]}`, body)

  assert.deepEqual(await waiting(owner), ['Held'])
  const others = (await owner.get('/api-v1-messages?is_waiting=false')).body.pagination.total
  assert.equal(others, 4)
  const count = (await owner.get('/api-v1-messages/summary?is_waiting=true')).body.data[0].count
  assert.equal(count, 1)
})

test('Nothing of an ignored sender waits, whatever its case, until it is taken back; a colleague that is claimed still does', async (t) => {
  const { owner, ada, deliver } = await openMailbox(t)
  await deliver({ subject: 'News', ...from('News@Shop.example') })
  await deliver({ subject: 'Held', status: 'held', ...from('news@shop.example') })
  await deliver({ subject: 'Other', ...from('grace@navy.example') })

  const made = await ada.post(path, { address: 'news@shop.example' })
  await deliver({ subject: 'More news', ...from('news@shop.example') })

  assert.deepEqual([made.status, made.body.data.visibility, made.body.data.user_id], [201, 'shared', null])
  assert.deepEqual([await waiting(owner), await waiting(ada)], [['Held', 'Other'], ['Other']])
  const again = await owner.post(path, { address: 'NEWS@shop.example' })
  assert.deepEqual([again.status, again.body.data.id], [200, made.body.data.id])
  assert.equal((await owner.get('/api-v1-messages')).body.pagination.total, 4)
  assert.equal((await owner.delete(`${path}/${made.body.data.id}`)).status, 200)
  assert.deepEqual(await waiting(owner), ['Held', 'More news', 'News', 'Other'])
})

test('A sender whom one user ignores waits for the others, who see nothing of it, in the log and the trash neither', async (t) => {
  const { owner, ada, bob, shared, deliver } = await openMailbox(t)
  await deliver({ subject: 'News', ...from('news@shop.example') })
  const { body } = await ada.post(path, { address: 'news@shop.example', visibility: 'personal' })
  const at = `${path}/${body.data.id}`

  assert.deepEqual([body.data.user_id, await waiting(ada)], [ada.id, []])
  for (const who of [owner, bob, shared]) assert.deepEqual(await waiting(who), ['News'])
  for (const who of [owner, bob, shared]) {
    assert.equal((await who.get(path)).body.pagination.total, 0)
    assertError(await who.delete(at), 404, 'NOT_FOUND')
  }
  assert.equal((await ada.delete(at)).status, 200)
  assert.deepEqual(await waiting(ada), ['News'])
  const seen = [await owner.get('/api-v1-changes?after=start'), await owner.get('/api-v1-trash')]
  assert.doesNotMatch(JSON.stringify(seen.map((each) => each.body)), /ignored_sender/)
  assertError(await shared.post(path, { address: 'a@b.example', visibility: 'personal' }), 400, 'VALIDATION_ERROR')
})

test('A key that only reads messages ignores nobody for others, and takes nobody back', async (t) => {
  const { server, owner } = await openMailbox(t)
  const { id } = (await owner.post(path, { address: 'news@shop.example' })).body.data
  const { key } = (await owner.post('/api-v1-keys', { name: 'Reader', scopes: ['read:messages'] })).body.data
  const reader = clientFor(server.url, { id: '', key })

  assertError(await reader.post(path, { address: 'grace@navy.example' }), 403, 'INSUFFICIENT_PERMISSIONS')
  assertError(await reader.delete(`${path}/${id}`), 403, 'INSUFFICIENT_PERMISSIONS')
  assert.equal((await reader.get(path)).body.pagination.total, 1)
})

test('To erase a contact erases what ignores its addresses', async (t) => {
  const { server, companyId, owner, ada } = await openMailbox(t)
  const { id } = await make(owner, 'contact', { first_name: 'Grace', emails: [{ email: 'grace@navy.example' }] })
  await owner.post(path, { address: 'grace@navy.example' })
  const personal = (await ada.post(path, { address: 'grace@navy.example', visibility: 'personal' })).body.data.id
  await owner.post(path, { address: 'news@shop.example' })
  await owner.delete(`/api-v1-contacts/${id}`)

  assert.equal((await owner.delete(`/api-v1-trash/${id}`)).status, 200)

  const left = (await owner.get(path)).body.data.map(({ address }: JsonRecord) => address)
  assert.deepEqual(left, ['news@shop.example'])
  const log = await owner.get('/api-v1-changes?after=start')
  assert.doesNotMatch(JSON.stringify(log.body), new RegExp(`grace@navy|${personal}`))
  assert.equal((await ada.get(`${path}/${personal}`)).status, 404)
  const workspace = server.store.workspace(findWorkspaceId(server.store.access, companyId, 'live'))
  assert.deepEqual([...verifyLog(loggedResources, workspace)], [])
})

test('Undoing the creation of a contact unlinks its messages, including those that the caller cannot see, and reports none of them', async (t) => {
  const server = await startWithMail(t)
  const owner = await newOwner(server)
  const [ada, bob] = [
    await newColleague(server, 'member', 'ada@acme.example.org'),
    await newColleague(server, 'member'),
  ]
  const shared = (await owner.post('/api-v1-mail-addresses', { kind: 'company' })).body.data
  const own = (await ada.post('/api-v1-mail-addresses', { kind: 'user', audience: 'participants' })).body.data
  await deliverAs(server, owner, shared.address, rawMail({ Subject: 'For all' }))
  await deliverAs(server, ada, own.address, rawMail({ Subject: 'For Ada' }))
  const statuses = async () =>
    (await ada.get('/api-v1-messages')).body.data.map(({ status }: JsonRecord) => status).join()
  assert.equal(await statuses(), 'unmatched,unmatched')
  await untilMatching(server)
  const headers = { 'X-Request-Id': 'made-grace' }
  const contact = { first_name: 'Grace', emails: [{ email: 'grace@navy.example' }] }
  const made = await bob.post('/api-v1-contacts', contact, headers)
  await until('both are linked', statuses, { is: (seen) => seen === 'matched,matched' })

  const planned = await bob.post('/api-v1-undo', { request_id: 'made-grace', dry_run: true })
  const undone = await bob.post('/api-v1-undo', { request_id: 'made-grace' })

  for (const { body } of [planned, undone]) {
    const seen = [...body.data.reversed, ...body.data.kept, ...body.data.errored]
    assert.deepEqual(
      seen.map(({ resource }) => resource),
      ['contact'],
      JSON.stringify(body),
    )
  }
  assert.equal((await owner.get(`/api-v1-contacts/${made.body.data.id}`)).status, 404)
  const [message] = (await owner.get('/api-v1-messages')).body.data
  assert.deepEqual([message.status, message.contact_ids], ['unmatched', []])
  assert.equal(await statuses(), 'unmatched,unmatched')
  assert.deepEqual(await waiting(owner), ['For all'])
})
