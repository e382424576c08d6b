import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWorkspaceId } from '../../src/access/company.ts'
import { message } from '../../src/crm/message.ts'
import { changeRow } from '../../src/engine/records/rows/write.ts'
import { openMailbox } from '../support/mailbox.ts'

interface Change {
  type: string
  record_id: string
  actor: object | null
  previous: object | null
  data: { subject: string } | null
}

test('The feed has no change of a message that one may not see, and says that it is filtered', async (t) => {
  const { ada, bob, shared, personal } = await openMailbox(t)
  const id = await personal({
    attachments: [{ name: 'a.txt', mediaType: 'text/plain', bytes: 1, sha256: 'b'.repeat(64) }],
  })

  for (const other of [bob, shared]) {
    const { body } = await other.get(`/api-v1-changes?types=message.*,file.*`)
    assert.deepEqual(body.data, [])
    assert.equal((await other.get(`/api-v1-changes?record_id=${id}`)).body.data.length, 0)
  }
  const types = (await ada.get('/api-v1-changes?types=message.*,file.*')).body.data.map(({ type }: Change) => type)
  assert.deepEqual(types, ['message.created', 'file.created'])
  assert.equal((await shared.get('/api-v1-changes')).body.filtered, true)
})

test('A change that hides a message reaches those who saw it as its deletion without data, and one that reveals it as an update with all data', async (t) => {
  const { ada, bob, shared, deliver } = await openMailbox(t)
  const id = await deliver({ userIds: [ada.id] })
  const path = `/api-v1-messages/${id}`
  const { cursor } = (await bob.get('/api-v1-changes')).body
  const since = async (reader: typeof shared | typeof bob, after: string) =>
    (await reader.get(`/api-v1-changes?types=message.*&after=${after}`)).body

  await ada.patch(path, { audience: 'participants' })
  for (const other of [bob, shared]) {
    const { data } = await since(other, cursor)
    assert.deepEqual(
      data.map(({ type, record_id, actor, request_id, previous, data }: Change & { request_id: null }) => ({
        ...{ type, record_id, actor, request_id, previous, data },
      })),
      [{ type: 'message.deleted', record_id: id, actor: null, request_id: null, previous: null, data: null }],
    )
    assert.equal((await other.get(`/api-v1-changes?types=message.deleted&after=${cursor}`)).body.data.length, 1)
    assert.equal((await other.get(`/api-v1-changes?actor_id=${ada.id}&after=${cursor}`)).body.data.length, 0)
  }
  const own = await since(ada, cursor)
  assert.deepEqual(
    own.data.map(({ type }: Change) => type),
    ['message.updated'],
  )

  const hidden = (await bob.get('/api-v1-changes')).body.cursor
  await ada.patch(path, { subject: undefined, metadata: { hidden: true } })
  assert.deepEqual((await since(bob, hidden)).data, [])
  await ada.patch(path, { audience: 'team' })
  const revealed: Change = (await since(bob, hidden)).data.at(-1)
  assert.equal(revealed.type, 'message.updated')
  assert.equal(revealed.previous, null)
  assert.equal(revealed.data!.subject, 'Hampers')
})

test('Whoever has received a message, too, gets it as revealed, and not who had it before', async (t) => {
  const { server, companyId, ada, bob, personal } = await openMailbox(t)
  const id = await personal()
  const { cursor } = (await bob.get('/api-v1-changes')).body
  const workspaceId = findWorkspaceId(server.store.access, companyId, 'live')

  const user_ids = JSON.stringify([ada.id, bob.id])
  await server.store.write(workspaceId, (tx) => changeRow(message, tx, id, { user_ids }))

  const { data } = (await bob.get(`/api-v1-changes?types=message.*&after=${cursor}`)).body
  assert.deepEqual(
    data.map(({ type, changed, previous }: Change & { changed: string[] }) => [type, changed, previous]),
    [['message.updated', [], null]],
  )
})

test('Snapshots, exports and the trash leave out messages and files that one may not see', async (t) => {
  const { ada, bob, shared, personal } = await openMailbox(t)
  const sha256 = 'c'.repeat(64)
  const id = await personal({ attachments: [{ name: 'secret.txt', mediaType: 'text/plain', bytes: 1, sha256 }] })
  const texts = async (reader: typeof shared | typeof bob) => [
    JSON.stringify((await reader.get('/api-v1-snapshot?types=message,file')).body),
    JSON.stringify((await reader.get('/api-v1-messages', { Accept: 'text/csv' })).body),
    JSON.stringify((await reader.get('/api-v1-files', { Accept: 'text/csv' })).body),
  ]

  for (const text of await texts(ada)) assert.match(text, /Hampers|secret\.txt/)
  for (const other of [bob, shared]) for (const text of await texts(other)) assert.doesNotMatch(text, /Hampers|secret/)

  assert.equal((await ada.delete(`/api-v1-messages/${id}`)).status, 200)
  assert.equal((await ada.get('/api-v1-trash')).body.data.length, 2)
  for (const other of [bob, shared]) {
    assert.deepEqual((await other.get('/api-v1-trash?page=1')).body.data, [])
    assert.equal((await other.get('/api-v1-trash?page=1')).body.pagination.total, 0)
    assert.equal((await other.post(`/api-v1-trash/${id}/restore`, {})).status, 404)
    assert.equal((await other.delete(`/api-v1-trash/${id}`)).status, other === bob ? 403 : 404)
  }
})
