import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../../../support/client.ts'
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
