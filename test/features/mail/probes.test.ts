import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStreamAs } from '../../changes/events.ts'
import { agentFor } from '../../mcp/agent.ts'
import { clientFor, send } from '../../support/client.ts'
import { unknownId } from '../../support/contract.ts'
import { openMailbox } from '../../support/mailbox.ts'
import { type JsonRecord, make } from '../../support/make.ts'
import { newColleague, type Visitor } from '../../support/visitor.ts'

const secret = 'zeppelin'
const offer = { name: `${secret}.pdf`, mediaType: 'application/pdf', bytes: 3, sha256: 'a'.repeat(64) }

const cookieOf = ({ cookie }: Visitor) => ({ Cookie: cookie!, 'Kontor-Environment': 'live' })

/** Requests that name a message, its file, its thread and what changed it last. */
function requestsFor(message: string, file: string, thread: string, request: string): [string, string, object?][] {
  const gets = [
    ...['', '/html', '/original', '/history', '?as_of=9'].map((rest) => `/api-v1-messages/${message}${rest}`),
    ...['', '/content', '/history', '?as_of=9'].map((rest) => `/api-v1-files/${file}${rest}`),
    ...[`/api-v1-files?message_id=${message}&page=1`, `/api-v1-messages?id[in]=${message}&page=1`],
    ...[`/api-v1-messages?thread_id=${thread}`, `/api-v1-messages/summary?thread_id=${thread}`],
    ...[`/api-v1-search?q=${message}`, `/api-v1-search?q=${file}`, `/api-v1-trash?id=${message}`],
    ...[message, file].map((id) => `/api-v1-changes?record_id=${id}`),
    `/api-v1-changes?request_id=${request}`,
  ]
  return [
    ...gets.map((path): [string, string] => ['GET', path]),
    ['PATCH', `/api-v1-messages/${message}`, { status: 'matched' }],
    ['PATCH', `/api-v1-messages/${message}`, { contact_ids: [unknownId] }],
    ['PATCH', `/api-v1-messages/${message}`, { unknown: 1 }],
    ['DELETE', `/api-v1-messages/${message}`],
    ['PATCH', `/api-v1-files/${file}`, { name: 'other.pdf' }],
    ['DELETE', `/api-v1-files/${file}`],
    ['POST', `/api-v1-trash/${message}/restore`, {}],
    ['DELETE', `/api-v1-trash/${message}`],
    ['POST', '/api-v1-undo', { request_id: request }],
    ['POST', '/api-v1-undo', { request_id: request, dry_run: true }],
  ]
}

test('A message that one may not see is answered like one that does not exist, whatever names it', async (t) => {
  const { server, ada, bob, owner, shared, personal } = await openMailbox(t)
  const id = await personal({ attachments: [offer] })
  const message = (await ada.get(`/api-v1-messages/${id}?include=files`)).body.data
  const changed = await ada.patch(`/api-v1-messages/${id}`, { metadata: { topic: secret } })
  const names = [id, message.files[0].id, message.thread_id, changed.headers.get('x-request-id')!]
  const [real, unknown] = [names, names.map(() => unknownId)].map((each) =>
    requestsFor(...(each as [string, string, string, string])),
  )

  for (const caller of [{ Authorization: `Bearer ${shared.key}` }, cookieOf(bob), cookieOf(owner)]) {
    const ask = async ([method, path, body]: [string, string, object?]) => {
      const headers = { ...caller, ...(body && { 'Content-Type': 'application/json' }) }
      const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      const { status, body: text } = await send(`${server.url}${path}`, sent)
      const plain = names.reduce((known, name) => known.replaceAll(name, unknownId), JSON.stringify(text ?? null))
      return [method, path, status, plain.replace(/"cursor":"[^"]*"/, '')]
    }
    for (const [at, request] of real!.entries()) {
      const [[, , status, text], [, , otherStatus, otherText]] = [await ask(request), await ask(unknown![at]!)]
      assert.deepEqual([status, text], [otherStatus, otherText], request.join(' '))
    }
  }
})

test('Agents and what they propose show nothing of a message that their key may not see', async (t) => {
  const { server, ada, bob, owner, shared, personal } = await openMailbox(t)
  const contact = (await bob.post('/api-v1-contacts', { first_name: 'Grace' })).body.data
  const other = (await bob.post('/api-v1-contacts', { first_name: 'Gracie' })).body.data
  const id = await personal({ subject: secret, text: secret, contactIds: [other.id], attachments: [offer] })
  const agent = agentFor({ url: server.url, key: shared.key })
  const proposing = agentFor({ url: server.url, key: shared.key, headers: { 'Kontor-Mcp-Mode': 'propose' } })
  const shown = [
    await agent.call('search', { query: secret }),
    await agent.call('fetch', { id: `message:${id}` }),
    await agent.call('get_record', { type: 'message', id }),
    await agent.call('list_records', { type: 'message' }),
    await agent.call('list_records', { type: 'file' }),
    await agent.call('summarize', { type: 'message', group_by: 'status' }),
    await agent.call('list_changes', {}),
    await proposing.call('merge_records', { type: 'contact', id: contact.id, with: [other.id] }),
    (await owner.get('/api-v1-proposals')).body,
  ]

  const texts = shown.map((each) => JSON.stringify(each))

  for (const [at, text] of texts.entries()) {
    if (at > 2) assert.ok(!text.includes(id), text)
    assert.doesNotMatch(at === 0 ? text.replaceAll('"query"', '') : text, new RegExp(secret))
  }
  const own = (await ada.post('/api-v1-keys', { name: 'Own', user_id: ada.id, scopes: ['read:all'] })).body.data.key
  const found = await agentFor({ url: server.url, key: own }).use('search', { query: secret })
  assert.ok(found.results.length > 0, 'an agent with the own key of a participant finds it')
})

test('A stream has the changes of a message only for those who see it', async (t) => {
  const { server, ada, bob, deliver, personal } = await openMailbox(t)
  const open = (visitor: Visitor) => openStreamAs(t, server.url, cookieOf(visitor), '?after=now')
  const [hers, his] = [await open(ada), await open(bob)]

  const id = await personal({ subject: secret, attachments: [offer] })
  await ada.patch(`/api-v1-messages/${id}`, { metadata: { topic: secret } })
  const last = await deliver({ subject: 'For all' })

  assert.match(await hers.until(last), new RegExp(id))
  const seen = await his.until(last)
  assert.ok(!seen.includes(id) && !seen.includes(secret), seen)
})

test('Of a message that is erased, and of its files, only those who saw it find a trace in the log', async (t) => {
  const { server, bob, owner, shared, personal } = await openMailbox(t)
  const eve = await newColleague(server, 'admin')
  const id = await personal({
    userIds: [eve.id],
    subject: secret,
    attachments: [offer, { ...offer, sha256: 'b'.repeat(64) }],
  })
  const { files } = (await eve.get(`/api-v1-messages/${id}?include=files`)).body.data
  const ids = [id, ...files.map((file: JsonRecord) => file.id)]
  const [first] = files as JsonRecord[]

  const erase = async (path: string) => {
    for (const each of [path, `/api-v1-trash/${path.split('/').at(-1)}`]) {
      const { status } = await eve.delete(each)
      assert.ok(status < 300, `${each}: ${status}`)
    }
  }

  await erase(`/api-v1-files/${first!.id}`)
  await erase(`/api-v1-messages/${id}`)

  const textOf = async (caller: Pick<Visitor, 'get'>) =>
    JSON.stringify((await caller.get('/api-v1-changes?after=start&limit=1000')).body)
  const hers = await textOf(eve)
  for (const each of ids) assert.ok(hers.includes(each), each)
  for (const caller of [bob, owner, shared]) {
    const text = await textOf(caller)
    for (const each of ids) assert.ok(!text.includes(each), each)
  }
})

test('A merge counts and names only the files of messages that the caller sees', async (t) => {
  const { server, ada, bob, shared, personal } = await openMailbox(t)
  const client = clientFor(server.url, { id: '', key: shared.key })
  const [one, other] = [await make(client, 'contact'), await make(client, 'contact')]
  await make(client, 'file', { contact_id: other.id })
  const merge = (id: string, body: object) => bob.post(`/api-v1-contacts/${one.id}/merge`, { with: [id], ...body })
  const before = (await merge(other.id, { dry_run: true })).body.moved
  await personal({ contactIds: [other.id], attachments: [offer] })
  const { data: files } = (await ada.get(`/api-v1-files?name=${offer.name}`)).body as { data: JsonRecord[] }
  await ada.patch(`/api-v1-files/${files[0]!.id}`, { contact_id: other.id })

  const tried = await merge(other.id, { dry_run: true })
  const merged = await merge(other.id, {})

  assert.deepEqual(tried.body.moved, before)
  assert.deepEqual(merged.body.moved, before)
  assert.equal((await ada.get(`/api-v1-files/${files[0]!.id}`)).body.data.contact_id, one.id)
})
