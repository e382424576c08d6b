import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateUser } from '../../../src/access/user.ts'
import { clientFor } from '../../support/client.ts'
import { contacts, resultsOf, runBatches, submit, totalOf } from '../../support/imports.ts'
import { openMailbox } from '../../support/mailbox.ts'
import type { JsonRecord } from '../../support/make.ts'
import { newColleague } from '../../support/visitor.ts'

const mailbox = { host: 'imap.example.com', port: 993, user: 'ada@example.com', password: 'correct horse' }
const recordsMax = 1_000
/** With one change more, a job undoes them. */
const atOnceMax = 10_000

test('A job undoes only what its author may undo at the moment of the write: who sees messages, mailboxes of others, what a key did', {
  timeout: 300_000,
}, async (t) => {
  const { server, owner, ada, shared, deliver, personal } = await openMailbox(t, { work: 'nowhere' })
  const [eve, frank] = [await newColleague(server, 'admin', 'eve@x.example'), await newColleague(server, 'admin')]
  const made = { name: 'Hers', scopes: ['read:all', 'write:all'], type: 'personal' }
  const { id: key_id, key } = (await ada.post('/api-v1-keys', made)).body.data
  const hers = clientFor(server.url, { id: key_id, key })
  const since = new Date(server.clock.now()).toISOString()
  const shown = `/api-v1-messages/${await personal()}`
  const held = `/api-v1-messages/${await deliver({ status: 'held', userIds: [ada.id], heldFor: [ada.id] })}`
  assert.equal((await hers.patch(shown, { audience: 'team' })).status, 200)
  assert.equal((await hers.patch(held, { audience: 'participants' })).status, 200)
  const source = (await hers.post('/api-v1-mail-sources', mailbox)).body.data.id
  for (let at = 0; at < atOnceMax; at += recordsMax) await submit(hers, 'contacts', contacts(recordsMax))
  await runBatches(server.store)
  const audienceOf = async (path: string) => (await ada.get(path)).body.data.audience
  const demote = (id: string) => server.store.writeAccess((tx) => void updateUser(tx, id, { role: 'member' }))
  const jobOf = async (by: typeof owner, asked: JsonRecord) => {
    const queued = await by.post('/api-v1-undo', asked)
    assert.equal(queued.status, 202, JSON.stringify(queued.body))
    return queued.body.data.job_id
  }
  const failuresOf = async (id: string) => {
    const results = (await resultsOf(shared, `/api-v1-bulk/jobs/${id}`)).filter(({ outcome }) => outcome === 'failed')
    return results.map(({ errors: [{ code }] }) => code)
  }

  const first = await jobOf(eve, { key_id, since })
  await runBatches(server.store)

  assert.deepEqual([await audienceOf(shown), await audienceOf(held)], ['team', 'participants'])
  assert.deepEqual(await failuresOf(first), ['INSUFFICIENT_PERMISSIONS'])
  assert.equal(await totalOf(shared, 'contacts'), 0)

  const second = await jobOf(eve, { bulk_job_id: first })
  await demote(eve.id)
  await runBatches(server.store)

  assert.deepEqual(await failuresOf(second), ['INSUFFICIENT_PERMISSIONS'])
  assert.equal((await owner.get(`/api-v1-mail-sources/${source}`)).status, 404)
  assert.equal(await totalOf(shared, 'contacts'), atOnceMax)

  const third = await jobOf(frank, { key_id, since, force: true })
  await demote(frank.id)
  await runBatches(server.store)

  assert.deepEqual([...new Set(await failuresOf(third))], ['INSUFFICIENT_PERMISSIONS'])
  assert.equal(await totalOf(shared, 'contacts'), atOnceMax)
})
