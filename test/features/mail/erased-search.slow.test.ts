import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findInFiles, untilErased } from '../../changes/bytes.ts'
import { openMailbox } from '../../support/mailbox.ts'
import { until } from '../../support/wait.ts'

/** Pieces that nothing else contains. */
const name = 'ძხჭჰშზ'
/** More than the search index needs before texts enter it. */
const others = 1_100

test('The search index and the files of the database have nothing of a person whose name was taken out of a message within a minute', {
  timeout: 300_000,
}, async (t) => {
  const { server, owner, shared, deliver } = await openMailbox(t, { work: 'thread' })
  const from = { name, address: 'grace@hopper.example' }
  const person = { first_name: name, emails: [{ email: from.address }] }
  const contact = (await owner.post('/api-v1-contacts', person)).body.data
  const to = [{ name: 'Other', address: 'other@example.net' }]
  const id = await deliver({ from, to, contactIds: [contact.id], subject: `Re: ${name}`, text: `${name} zeppelin` })
  for (let each = 0; each < others; each++) await deliver({ text: `Number ${each}` })
  const sql = `SELECT count(*) FROM search_pending WHERE resource = 'message' AND id = ?`
  const isEntered = () => server.store.access.value<number>(sql, id) === 0
  await until('the message is in the search index', isEntered)
  assert.ok(findInFiles(server.path, { name }).length > 0)

  await owner.delete(`/api-v1-contacts/${contact.id}`)
  assert.equal((await owner.delete(`/api-v1-trash/${contact.id}`)).status, 200)

  await untilErased(server.path, { name })
  const search = async (word: string) => (await shared.get(`/api-v1-search?q=${word}&types=message`)).body.data
  assert.deepEqual(
    (await search('zeppelin')).map((found: { id: string }) => found.id),
    [id],
  )
  assert.deepEqual(await search(encodeURIComponent(name)), [])
})
