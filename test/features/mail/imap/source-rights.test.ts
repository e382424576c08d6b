import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lookupPosition, storePosition } from '../../../../src/features/mail/imap/source-state.ts'
import { assertError, clientFor } from '../../../support/client.ts'
import { openMailbox } from '../../../support/mailbox.ts'
import type { JsonRecord } from '../../../support/make.ts'

const path = '/api-v1-mail-sources'
const mailbox = { host: 'imap.example.com', port: 993, user: 'ada@example.com', password: 'correct horse' }

test('A mailbox is of its user, who alone sees it besides admins; others are made by admins only', async (t) => {
  const { owner, ada, bob } = await openMailbox(t)
  const own = await ada.post(path, mailbox)
  assert.deepEqual([own.status, own.body.data.user_id], [201, ada.id])
  const at = `${path}/${own.body.data.id}`

  for (const asked of [await bob.get(at), await bob.patch(at, { folder: 'Archive' }), await bob.delete(at)]) {
    assertError(asked, 404, 'NOT_FOUND')
  }
  const counts = await Promise.all([owner, ada, bob].map(async (each) => (await each.get(path)).body.data.length))
  assert.deepEqual(counts, [1, 1, 0])
  assertError(await bob.post(path, { ...mailbox, user_id: ada.id }), 403, 'INSUFFICIENT_PERMISSIONS')
  assertError(await bob.post(path, { ...mailbox, user_id: null }), 403, 'INSUFFICIENT_PERMISSIONS')
  assert.equal((await owner.post(path, { ...mailbox, user_id: null })).status, 201)
})

test('The password of a mailbox is in no response and not in the log of changes', async (t) => {
  const { owner, ada } = await openMailbox(t)
  const made = await ada.post(path, mailbox)
  const at = `${path}/${made.body.data.id}`
  const seen = [
    made,
    await ada.patch(at, { password: 'battery staple' }),
    await ada.patch(at, { folder: 'Archive' }),
    await owner.get(path),
    await owner.get('/api-v1-changes?after=start'),
  ]
  assert.equal(
    seen.at(-1)!.body.data.some(({ type }: JsonRecord) => type === 'mail_source.created'),
    true,
  )
  assert.doesNotMatch(JSON.stringify(seen.map(({ body }) => body)), /correct horse|battery staple|"password"/)
})

test('No undo leads the password of a mailbox to another server or user, with a deletion neither', async (t) => {
  const { owner, ada, server } = await openMailbox(t)
  const { id } = (await ada.post(path, mailbox)).body.data
  const at = `${path}/${id}`
  const shown = async () => (await owner.get(at)).body.data
  for (const elsewhere of [{ host: 'imap.example.org' }, { port: 143 }, { tls: 'starttls' }, { user: 'grace' }]) {
    const before = await shown()
    const [name] = Object.keys(elsewhere) as [string]
    const moved = await owner.patch(at, { ...elsewhere, password: 'junk' })
    const returned = await ada.patch(at, { [name]: before[name], password: 'correct horse' })
    assert.deepEqual([moved.status, returned.status], [200, 200])

    for (const user of [owner, ada]) {
      const asked = { request_id: returned.headers.get('x-request-id') }
      const dry = await user.post('/api-v1-undo', { ...asked, dry_run: true })
      const { body } = await user.post('/api-v1-undo', asked)
      assert.deepEqual(body.data.reversed, [])
      assert.deepEqual(dry.body.data, body.data)
      assert.match(body.data.errored[0].message, /change only with the password: change the mailbox/)
    }
    assert.equal((await shown())[name], before[name])
  }

  const key = (await owner.post('/api-v1-keys', { name: 'Admin', scopes: ['admin:all'] })).body.data
  const client = clientFor(server.url, key)
  await client.patch(at, { host: 'imap.example.org', password: 'battery staple' })
  await client.delete(at)
  const { body } = await owner.post('/api-v1-undo', { key_id: key.id, since: '2000-01-01' })
  assert.deepEqual(body.data.reversed, [])
  assertError(await owner.get(at), 404, 'NOT_FOUND')
})

test('The password of a mailbox is one line of at most 1,000 characters', async (t) => {
  const { ada } = await openMailbox(t)
  const create = async (password: unknown) => {
    const { status, body } = await ada.post(path, { ...mailbox, password })
    return status === 201 ? 'made' : body.error.details[0].code
  }

  assert.equal(await create('x'.repeat(1_000)), 'made')
  assert.equal(await create('x'.repeat(1_001)), 'TOO_LONG')
  assert.equal(await create(''), 'REQUIRED')
  assert.equal(await create(7), 'INVALID_TYPE')
  for (const end of ['\n', '\r', '\0']) assert.equal(await create(`a${end}b`), 'INVALID_FORMAT')
})

/** Creates a mailbox that was read. `read` returns how far. */
async function readBefore({ ada, server }: Awaited<ReturnType<typeof openMailbox>>) {
  const { id } = (await ada.post(path, mailbox)).body.data as { id: string }
  const workspace = server.store.access.value<number>('SELECT workspace_id FROM mail_source WHERE id = ?', id)!
  const position = { uidValidity: '1', lastUid: 7, since: null, arrivedAt: null }
  const store = () => server.store.write(workspace, (tx) => storePosition(tx, id, position))
  await store()
  return { at: `${path}/${id}`, store, read: () => lookupPosition(server.store.workspace(workspace), id) }
}

const beginning = { uidValidity: null, lastUid: 0, since: null, arrivedAt: null }

test('A mailbox whose folder an undo changes begins at its start again', async (t) => {
  const place = await openMailbox(t)
  const { at, store, read } = await readBefore(place)
  const changed = await place.ada.patch(at, { folder: 'Archive' })
  await store()

  const { body } = await place.ada.post('/api-v1-undo', { request_id: changed.headers.get('x-request-id') })

  assert.equal(body.data.reversed.length, 1)
  assert.deepEqual(read(), beginning)
})

test('A mailbox of another host, port or user begins at its start again, and with another password where it stopped', async (t) => {
  const place = await openMailbox(t)
  const { at, store, read } = await readBefore(place)
  const password = 'battery staple'

  assert.equal((await place.ada.patch(at, { password })).status, 200)
  assert.equal(read()!.lastUid, 7)
  for (const elsewhere of [{ host: 'imap.example.org' }, { port: 143, tls: 'starttls' }, { user: 'grace' }]) {
    assert.equal((await place.ada.patch(at, { ...elsewhere, password })).status, 200)
    assert.deepEqual(read(), beginning)
    await store()
  }
})

test('A mailbox begins now, with everything, or on a date of the calendar', async (t) => {
  const { ada } = await openMailbox(t)
  const create = (start: string) => ada.post(path, { ...mailbox, start })

  for (const start of ['now', 'all', '2028-02-29']) assert.equal((await create(start)).body.data.start, start)
  for (const start of ['2026-02-30', '2025-02-29', '2026-04-31', '2026-13-01', 'today']) {
    const { status, body } = await create(start)
    assert.deepEqual([status, body.error.details[0].code], [400, 'INVALID_FORMAT'], start)
  }
})
