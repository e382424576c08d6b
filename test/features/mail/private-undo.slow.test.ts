import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientFor } from '../../support/client.ts'
import { ended, importAll } from '../../support/imports.ts'
import { openMailbox } from '../../support/mailbox.ts'
import { make } from '../../support/make.ts'
import { newColleague } from '../../support/visitor.ts'
import { until } from '../../support/wait.ts'
import { deliverAs, mailDomain, rawMail, untilMatching } from './mails.ts'

/** With one record more, a job undoes the changes. */
const atOnceMax = 10_000
const recordsMax = 1_000

test('A job that undoes the changes of a key takes back those of private messages and the links of its contacts, and counts none of them', {
  timeout: 300_000,
}, async (t) => {
  const { server, ada, shared, deliver } = await openMailbox(t, { limits: { mailDomain } })
  const admin = await newColleague(server, 'admin', 'eve@acme.example.org')
  const body = { name: 'Mine', scopes: ['admin:all'], type: 'personal', user_id: admin.id }
  const made = (await admin.post('/api-v1-keys', body)).body.data
  const mine = clientFor(server.url, { id: made.id, key: made.key })
  const own = `/api-v1-messages/${await deliver({ audience: 'participants', userIds: [admin.id] })}`
  const { address } = (await ada.post('/api-v1-mail-addresses', { kind: 'user', audience: 'participants' })).body.data
  const fromGrace = (await deliverAs(server, ada, address, rawMail())).body.data.id
  await untilMatching(server)
  const contactsOf = async () => (await ada.get(`/api-v1-messages/${fromGrace}`)).body.data.contact_ids
  const since = new Date(server.clock.now()).toISOString()
  const changed = await mine.patch(own, { metadata: { mine: 1 } })
  assert.deepEqual(changed.body.data.metadata, { mine: 1 })
  const grace = await make(mine, 'contact', { emails: [{ email: 'grace@navy.example' }] })
  await until('the message of another user is linked', contactsOf, { is: (ids) => ids.includes(grace.id) })
  for (let number = 0; number <= atOnceMax; number += recordsMax) {
    const records = Array.from({ length: Math.min(recordsMax, atOnceMax + 1 - number) }, () => ({ name: 'Navy' }))
    await importAll(mine, 'organizations', records)
  }

  const queued = await mine.post('/api-v1-undo', { key_id: made.id, since })

  assert.equal(queued.status, 202, JSON.stringify(queued.body))
  const job = await ended(shared, `/api-v1-bulk/jobs/${queued.body.data.job_id}`)
  assert.deepEqual([job.total_records, job.failed_records], [atOnceMax + 2, 0])
  assert.deepEqual(await contactsOf(), [])
  assert.deepEqual((await mine.get(own)).body.data.metadata, {})
  assert.equal((await shared.get('/api-v1-organizations?limit=1')).body.pagination.total, 0)
})
