import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queueUndo } from '../../../src/features/imports/routes.ts'
import { assertError, send } from '../../support/client.ts'
import { openMailbox } from '../../support/mailbox.ts'
import type { JsonRecord } from '../../support/make.ts'
import type { Visitor } from '../../support/visitor.ts'
import { until } from '../../support/wait.ts'
import { Receiver } from '../webhooks/receiver.ts'
import { mailDomain, rawMail } from './mails.ts'

const secret = 'zeppelin'
const offer = { name: `${secret}.pdf`, mediaType: 'application/pdf', bytes: 3, sha256: 'a'.repeat(64) }

const cookieOf = ({ cookie }: Visitor) => ({ Cookie: cookie!, 'Kontor-Environment': 'live' })

test('A request that is repeated is not answered with a message that was hidden since', async (t) => {
  const { server, owner, ada, bob } = await openMailbox(t, { limits: { mailDomain } })
  const { address } = (await owner.post('/api-v1-mail-addresses', { kind: 'company' })).body.data
  const raw = rawMail({ To: 'ada@acme.example.org', Subject: secret })
  const deliver = () =>
    send(`${server.url}/api-v1-messages?address=${address}`, {
      method: 'POST',
      headers: { 'Content-Type': 'message/rfc822', 'Idempotency-Key': 'once', ...cookieOf(bob) },
      body: raw,
    })
  const { body } = await deliver()
  assert.equal((await deliver()).body.data.subject, secret)

  await ada.patch(`/api-v1-messages/${body.data.id}`, { audience: 'participants' })
  const hidden = await deliver()
  await ada.patch(`/api-v1-messages/${body.data.id}`, { audience: 'team' })

  assertError(hidden, 409, 'CONFLICT')
  assert.doesNotMatch(JSON.stringify(hidden.body), new RegExp(secret))
  assert.equal((await deliver()).body.data.subject, secret)
})

test('A request that is repeated is answered although its metadata name a message that the caller does not see', async (t) => {
  const { server, bob, personal } = await openMailbox(t)
  const body = JSON.stringify({ first_name: 'Grace', metadata: { id: await personal(), message: await personal() } })
  const create = () =>
    send(`${server.url}/api-v1-contacts`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'once', ...cookieOf(bob) },
      body,
    })
  const [first, second] = [await create(), await create()]

  assert.deepEqual([first.status, second.status], [201, 201])
  assert.deepEqual(second.body, first.body)
})

test('A delivery of a webhook that is repeated, and what the console shows of it, has nothing of a message that was hidden since', async (t) => {
  const { owner, ada, bob, deliver } = await openMailbox(t, { webhooks: 'here' })
  const receiver = await Receiver.open(t)
  const hook = await owner.post('/api-v1-webhooks', { url: receiver.url, events: ['message.*', 'file.*'] })
  const path = `/api-v1-webhooks/${hook.body.data.id}`
  const id = await deliver({ userIds: [ada.id], subject: secret, attachments: [offer] })
  const deliveries = async () => (await owner.get(`${path}/deliveries?status=succeeded`)).body.data as JsonRecord[]
  const made = await until('both are delivered', deliveries, { is: ({ length }) => length === 2 })
  const requestOf = async (delivery: JsonRecord) =>
    (await bob.get(`/console/webhook-deliveries/${delivery.id}/request`)).body.data.body
  assert.match(await requestOf(made.find(({ type }) => type === 'message.created')!), new RegExp(secret))
  await ada.patch(`/api-v1-messages/${id}`, { audience: 'participants' })
  await until('its deletion is delivered', deliveries, { is: ({ length }) => length === 4 })
  receiver.received.length = 0

  for (const each of made) assert.doesNotMatch(String(await requestOf(each)), new RegExp(secret))
  await owner.post(`${path}/replay`, { after: made[1]!.seq - 1 })
  await receiver.until(2)

  const [deleted, ofFile] = receiver.received.map(({ data }) => data).sort((a, b) => a.seq - b.seq)
  assert.deepEqual([deleted!.type, deleted!.record_id, deleted!.data], ['message.deleted', id, null])
  assert.deepEqual([ofFile!.type, ofFile!.data, ofFile!.actor], ['file.deleted', null, null])
})

test('Whoever follows the changes loses and gets the files of a message with it', async (t) => {
  const { ada, bob, deliver } = await openMailbox(t)
  const id = await deliver({ userIds: [ada.id], attachments: [offer] })
  const { cursor } = (await bob.get('/api-v1-changes')).body
  const since = async (reader: Visitor, types = 'file.*') =>
    ((await reader.get(`/api-v1-changes?after=${cursor}&types=${types}`)).body.data as JsonRecord[]).map(
      ({ type, actor, data }) => [type, actor?.type ?? null, data?.name ?? null],
    )

  const hiding = await ada.patch(`/api-v1-messages/${id}`, { audience: 'participants' })
  const [hidden, kept] = [await since(bob), await since(ada)]
  const undone = await ada.post('/api-v1-undo', { request_id: hiding.headers.get('x-request-id') })

  assert.deepEqual(hidden, [['file.deleted', null, null]])
  assert.deepEqual(kept, [['file.updated', 'user', offer.name]])
  assert.deepEqual(
    undone.body.data.reversed.map(({ resource }: JsonRecord) => resource),
    ['message'],
    JSON.stringify(undone.body),
  )
  assert.deepEqual((await since(bob)).at(-1), ['file.updated', 'user', offer.name])
  assert.equal((await since(bob, 'file.deleted')).length, 0, 'today, everybody sees it')
})

test('The results of a long undo name no message that the reader may not see', async (t) => {
  const { server, ada, shared, personal } = await openMailbox(t)
  const id = await personal()
  const changed = await ada.patch(`/api-v1-messages/${id}`, { metadata: { [secret]: 1 } })
  const { data } = (await ada.get(`/api-v1-messages/${id}/history`)).body
  const workspaceId = server.store.access.value<number>(
    "SELECT id FROM workspace WHERE environment = 'live' ORDER BY id LIMIT 1",
  )!
  const seq = [data[0].seq as number]
  const entry = { resource: 'message', recordId: id, seq, force: false, begun: seq[0]! }
  const origin = { actor: { type: 'user', id: ada.id }, requestId: changed.headers.get('x-request-id')! } as const
  const queued = await server.store.write(workspaceId, (tx) => queueUndo(tx, [entry]), origin)
  const path = `/api-v1-bulk/jobs/${JSON.parse(queued.body).data.job_id}`
  await until('the job has ended', async () => (await ada.get(path)).body.data.status === 'completed')

  const lines = await Promise.all([ada, shared].map(async (each) => (await each.get(`${path}/results`)).body as string))

  assert.match(lines[0]!, new RegExp(id))
  assert.deepEqual(JSON.parse(lines[1]!), { row: 1, outcome: 'updated', id: null, errors: [] })
})
