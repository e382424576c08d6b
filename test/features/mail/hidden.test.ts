import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../../support/client.ts'
import { newColleague, newOwner } from '../../support/visitor.ts'
import { deliverAs, deliverMail, newAddress, rawMail, startWithMail } from './mails.ts'

const outcomeOf = ({ headers }: { headers: Headers }) => headers.get('kontor-outcome')

test('The door does not tell whether a message that the caller may not see was there before', async (t) => {
  const company = await (await startWithMail(t)).company('Acme')
  const userId = await company.client.addUser({ email: 'ada@kontor.example' })
  const { address } = await newAddress(company.client, { kind: 'user', user_id: userId, audience: 'participants' })
  const raw = rawMail()

  const answers = [await deliverMail(company.client, address, raw), await deliverMail(company.client, address, raw)]

  const [first, again] = answers.map(({ status, body }, at) => [status, body, outcomeOf(answers[at]!)])
  assert.deepEqual(first, [201, { data: { id: null } }, 'stored'])
  assert.deepEqual(again, first)
  assert.equal((await company.client.get('/api-v1-messages')).body.pagination.total, 0)
})

test('A message that arrives for the team, too, becomes visible, unless a participant has chosen otherwise', async (t) => {
  const server = await startWithMail(t)
  const owner = await newOwner(server)
  const ada = await newColleague(server, 'member')
  const own = (await ada.post('/api-v1-mail-addresses', { kind: 'user', audience: 'participants' })).body.data
  const shared = (await owner.post('/api-v1-mail-addresses', { kind: 'company' })).body.data
  const deliver = (address: string, raw: string) => deliverAs(server, owner, address, raw)
  const [raw, chosen] = [rawMail({ Subject: 'One' }), rawMail({ Subject: 'Two' })]
  for (const each of [raw, chosen]) await deliver(own.address, each)
  const { data } = (await ada.get('/api-v1-messages?subject=Two')).body
  await ada.patch(`/api-v1-messages/${data[0].id}`, { audience: 'team' })
  await ada.patch(`/api-v1-messages/${data[0].id}`, { audience: 'participants' })
  assert.equal((await owner.get('/api-v1-messages')).body.pagination.total, 0)

  for (const each of [raw, chosen]) await deliver(shared.address, each)

  const seen = (await owner.get('/api-v1-messages')).body.data
  assert.deepEqual(
    seen.map(({ subject }: { subject: string }) => subject),
    ['One'],
  )
  assert.equal((await ada.get('/api-v1-messages')).body.pagination.total, 2)
})

test('The mail log shows admins every delivery and a user those to the own addresses, without what the message hides', async (t) => {
  const company = await (await startWithMail(t)).company('Acme')
  const { client } = company
  const userId = await client.addUser({ email: 'ada@kontor.example' })
  const scopes = ['read:all', 'write:all']
  const shared = await newAddress(client)
  const own = await newAddress(client, { kind: 'user', user_id: userId, audience: 'participants' })
  await deliverMail(client, shared.address, rawMail({ Subject: 'For all' }))
  await deliverMail(client, own.address, rawMail({ Subject: 'For Ada' }))

  const all = (await client.get('/api-v1-mail-log')).body.data
  const hers = (await (await company.key({ scopes, userId })).get('/api-v1-mail-log')).body.data

  assert.deepEqual(
    all.map((each: Record<string, unknown>) => [
      each.address,
      each.subject,
      each.from !== null,
      each.message_id !== null,
    ]),
    [
      [own.address, null, false, false],
      [shared.address, 'For all', true, true],
    ],
  )
  assert.deepEqual(
    hers.map(({ address }: { address: string }) => address),
    [own.address],
  )
  assertError(await (await company.key({ scopes })).get('/api-v1-mail-log'), 403, 'INSUFFICIENT_PERMISSIONS')
})

test('The mail log keeps the last 1,000 deliveries', async (t) => {
  const server = await startWithMail(t)
  const { client } = await server.company('Acme')
  const { address } = await newAddress(client)
  const raw = rawMail()
  await deliverMail(client, address, raw)
  const copies = `INSERT INTO mail_log (workspace_id, id, door, address, outcome, at)
    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 999)
    SELECT workspace_id, printf('00000000-0000-7000-8000-%012d', n), door, address, outcome, at FROM mail_log, number`
  await server.store.writeAccess((tx) => tx.run(copies))

  for (let times = 0; times < 2; times++) await deliverMail(client, address, raw)

  const { pagination, data } = (await client.get('/api-v1-mail-log')).body
  assert.equal(pagination.total, 1_000)
  assert.deepEqual(
    data.slice(0, 3).map(({ outcome }: { outcome: string }) => outcome),
    ['duplicate', 'duplicate', 'unmatched'],
  )
})
