import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { openMailbox } from '../support/mailbox.ts'

const offer = { name: 'offer.pdf', mediaType: 'application/pdf', bytes: 3, sha256: 'a'.repeat(64) }
const idsOf = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id)

test('A message to participants is seen by the users who sent or received it, and by nobody else', async (t) => {
  const { owner, ada, bob, shared, personal } = await openMailbox(t)
  const id = await personal({ attachments: [offer] })
  const path = `/api-v1-messages/${id}`

  assert.equal((await ada.get(`${path}?include=files`)).body.data.files.length, 1)
  for (const other of [owner, bob, shared]) {
    assertError(await other.get(path), 404, 'NOT_FOUND')
    assertError(await other.get(`${path}/history`), 404, 'NOT_FOUND')
    assertError(await other.get(`${path}?as_of=1`), 404, 'NOT_FOUND')
    assertError(await other.patch(path, { metadata: { seen: true } }), 404, 'NOT_FOUND')
    assertError(await other.delete(path), 404, 'NOT_FOUND')
  }
})

test('Lists, totals, search and summaries leave out messages that one may not see, and their files', async (t) => {
  const { ada, bob, shared, deliver, personal } = await openMailbox(t)
  const open = await deliver({ text: 'zeppelin' })
  const own = await personal({ text: 'zeppelin', attachments: [offer] })

  for (const [reader, ids] of [
    [ada, [open, own]],
    [bob, [open]],
    [shared, [open]],
  ] as const) {
    const list = await reader.get('/api-v1-messages?sort=created_at&page=1')
    assert.deepEqual(idsOf(list), ids)
    assert.equal(list.body.pagination.total, ids.length)
    assert.deepEqual(idsOf(await reader.get('/api-v1-messages?subject[like]=hampers&sort=created_at')), ids)
    assert.deepEqual(idsOf(await reader.get('/api-v1-search?q=zeppelin&types=message')).sort(), [...ids].sort())
    const files = await reader.get('/api-v1-files?page=1')
    assert.equal(files.body.pagination.total, ids.length - 1)
    const sums = await reader.get('/api-v1-messages/summary?group_by=audience')
    const counts = sums.body.data.map((each: { count: number }) => each.count)
    assert.equal(
      counts.reduce((sum: number, each: number) => sum + each, 0),
      ids.length,
    )
  }
})

test('A held message is seen by whom it claims as its sender, by the owner of the address and by admins, until one of them releases it', async (t) => {
  const { owner, ada, bob, shared, deliver } = await openMailbox(t)
  const id = await deliver({ status: 'held', heldFor: [ada.id], userIds: [bob.id] })
  const path = `/api-v1-messages/${id}`

  for (const other of [bob, shared]) {
    assertError(await other.get(path), 404, 'NOT_FOUND')
    assertError(await other.patch(path, { status: 'matched' }), 404, 'NOT_FOUND')
  }
  assert.equal((await ada.get(path)).body.data.status, 'held')
  assert.equal((await owner.patch(path, { status: 'matched' })).body.data.status, 'unmatched')
  for (const other of [ada, bob, shared]) assert.equal((await other.get(path)).status, 200)
})

test('An admin who releases a message to participants does not see it afterwards', async (t) => {
  const { owner, ada, bob, deliver } = await openMailbox(t)
  const id = await deliver({ status: 'held', heldFor: [ada.id], userIds: [bob.id], audience: 'participants' })
  const path = `/api-v1-messages/${id}`

  assert.equal((await owner.patch(path, { status: 'matched' })).status, 200)

  assertError(await owner.get(path), 404, 'NOT_FOUND')
  assertError(await ada.get(path), 404, 'NOT_FOUND')
  assert.equal((await bob.get(path)).status, 200)
})

test('Only a participant changes the audience', async (t) => {
  const { owner, ada, bob, shared, deliver } = await openMailbox(t)
  const path = `/api-v1-messages/${await deliver({ userIds: [ada.id] })}`

  for (const other of [owner, bob, shared]) {
    assertError(await other.patch(path, { audience: 'participants' }), 403, 'INSUFFICIENT_PERMISSIONS')
  }
  assert.equal((await ada.patch(path, { audience: 'participants' })).status, 200)
  assertError(await bob.get(path), 404, 'NOT_FOUND')
  assert.equal((await ada.patch(path, { audience: 'team' })).status, 200)
  assert.equal((await bob.get(path)).status, 200)
})

test('A personal key sees what its user sees if the user created it while signed in, otherwise what the team sees', async (t) => {
  const { server, owner, ada, personal } = await openMailbox(t)
  const path = `/api-v1-messages/${await personal()}`
  const statusWith = async (key: string) =>
    (await fetch(`${server.url}${path}`, { headers: { Authorization: `Bearer ${key}` } })).status

  const own = await ada.post('/api-v1-keys', { name: 'Own', user_id: ada.id, scopes: ['read:all'] })
  const given = await owner.post('/api-v1-keys', { name: 'Given', user_id: ada.id, scopes: ['read:all'] })

  assert.equal(await statusWith(own.body.data.key), 200)
  assert.equal(await statusWith(given.body.data.key), 404)
})

test('A response for one user is never served from the cache to another', async (t) => {
  const { ada, bob, personal } = await openMailbox(t)
  await personal()
  const lists = ['/api-v1-messages', '/api-v1-files', '/api-v1-search?q=hampers']

  for (const path of lists) {
    const before = await bob.get(path)
    await ada.get(path)
    assert.equal((await ada.get(path)).status, 200)
    assert.deepEqual((await bob.get(path)).body, before.body)
  }
})
