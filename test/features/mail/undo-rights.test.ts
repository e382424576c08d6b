import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../../support/client.ts'
import { openMailbox } from '../../support/mailbox.ts'

const requestOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id')!

test('An undo of the release of a held message shows it again to those for whom it was held, and to nobody else', async (t) => {
  const { owner, ada, bob, shared, deliver } = await openMailbox(t)
  const path = `/api-v1-messages/${await deliver({ status: 'held', heldFor: [ada.id] })}`
  const released = await ada.patch(path, { status: 'matched' })
  assert.equal(released.body.data.status, 'unmatched')

  const undone = await ada.post('/api-v1-undo', { request_id: requestOf(released) })

  assert.deepEqual([undone.body.data.reversed.length, undone.body.data.errored], [1, []])
  for (const user of [ada, owner]) assert.equal((await user.get(path)).body.data.status, 'held')
  for (const user of [bob, shared]) assertError(await user.get(path), 404, 'NOT_FOUND')
  const again = await ada.post('/api-v1-undo', { request_id: requestOf(undone) })
  assert.equal(again.body.data.reversed.length, 1)
  assert.equal((await bob.get(path)).body.data.status, 'unmatched')
})

for (const force of [false, true]) {
  test(`Nobody hides a message from the team by an undo who could not have hidden it${force ? ', by force neither' : ''}`, async (t) => {
    const { ada, bob, shared, personal, deliver } = await openMailbox(t)
    const own = `/api-v1-messages/${await personal()}`
    const held = `/api-v1-messages/${await deliver({ status: 'held', heldFor: [ada.id] })}`
    const shown = requestOf(await ada.patch(own, { audience: 'team' }))
    const released = requestOf(await ada.patch(held, { status: 'matched' }))

    for (const user of [bob, shared]) {
      for (const request_id of [shown, released]) {
        const { body } = await user.post('/api-v1-undo', { request_id, force })
        assert.deepEqual(body.data.reversed, [])
        assert.equal(body.data.errored[0].code, 'INSUFFICIENT_PERMISSIONS', JSON.stringify(body))
      }
      for (const path of [own, held]) assert.equal((await user.get(path)).status, 200)
    }
    const { body } = await ada.post('/api-v1-undo', { request_id: shown, force })
    assert.equal(body.data.reversed.length, 1)
    assertError(await bob.get(own), 404, 'NOT_FOUND')
  })
}

test('Only who sent or received a held message undoes a change of its audience', async (t) => {
  const { owner, ada, deliver } = await openMailbox(t)
  const id = await deliver({ status: 'held', userIds: [ada.id], heldFor: [ada.id] })
  const changed = await ada.patch(`/api-v1-messages/${id}`, { audience: 'participants' })
  assert.equal(changed.status, 200)
  const undo = async (user: typeof owner) =>
    (await user.post('/api-v1-undo', { request_id: requestOf(changed) })).body.data

  assert.equal((await undo(owner)).errored[0].code, 'INSUFFICIENT_PERMISSIONS')
  assert.equal((await undo(ada)).reversed.length, 1)
})

test('Nobody but its user and admins undoes who sees what a mailbox brings, and none but admins undo changes of that of the company', async (t) => {
  const { owner, ada, bob } = await openMailbox(t)
  const path = '/api-v1-mail-sources'
  const mailbox = { host: 'imap.example.com', port: 993, user: 'ada@example.com', password: 'correct horse' }
  const own = `${path}/${(await ada.post(path, { ...mailbox, audience: 'team' })).body.data.id}`
  const companys = `${path}/${(await owner.post(path, { ...mailbox, user_id: null })).body.data.id}`
  const changed = await ada.patch(own, { audience: 'participants' })
  const paused = await owner.patch(companys, { is_active: false })

  for (const [user, response] of [
    [bob, changed],
    [bob, paused],
    [ada, paused],
  ] as const) {
    const asked = await user.post('/api-v1-undo', { request_id: requestOf(response) })
    assertError(asked, 403, 'INSUFFICIENT_PERMISSIONS')
  }
  assert.equal((await ada.get(own)).body.data.audience, 'participants')
  assert.equal((await ada.post('/api-v1-undo', { request_id: requestOf(changed) })).body.data.reversed.length, 1)
  assert.equal((await owner.post('/api-v1-undo', { request_id: requestOf(paused) })).body.data.reversed.length, 1)
})
