import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMailbox } from '../support/mailbox.ts'
import { start } from '../support/start.ts'
import { newOwner, type Visitor } from '../support/visitor.ts'

const waiting = async (who: Visitor) => (await who.get('/console/inbox')).body.data.waiting
const withMail = async (who: Visitor) => (await who.get('/console/description')).body.data.with_mail

test('The number of messages that wait is that of the messages that the user sees, and ends at 100', async (t) => {
  const { owner, ada, bob, deliver, personal } = await openMailbox(t)
  await personal()
  await deliver({ status: 'held' })
  assert.deepEqual([await waiting(owner), await waiting(ada), await waiting(bob)], [1, 1, 0])

  for (let n = 0; n < 101; n++) await deliver({ subject: `News ${n}`, from: { name: null, address: 'a@b.example' } })
  assert.deepEqual([await waiting(owner), await waiting(bob)], [100, 100])
  const personalOne = { address: 'a@b.example', visibility: 'personal' }
  assert.equal((await bob.post('/api-v1-mail-ignored-senders', personalOne)).status, 201)
  assert.deepEqual([await waiting(owner), await waiting(bob)], [100, 0])
})

test('A user has an inbox once there is a message, an address or a mailbox that the user sees', async (t) => {
  const { owner, ada, bob, personal, deliver } = await openMailbox(t, { limits: { mailDomain: 'in.kontor.example' } })
  assert.deepEqual(await withMail(owner), [])
  await personal()
  assert.deepEqual([await withMail(owner), await withMail(ada)], [[], ['live']])

  assert.equal((await ada.post('/api-v1-mail-addresses', { kind: 'user' })).status, 201)
  assert.deepEqual([await withMail(owner), await withMail(bob)], [['live'], []])

  await deliver()
  assert.deepEqual(await withMail(bob), ['live'])
})

test('The doors of a server say whether it has a domain and takes mail by SMTP', async (t) => {
  const doors = async (mailDomain?: string) =>
    (await (await newOwner(await start(t, { limits: { mailDomain } }))).get('/console/mail-doors')).body.data
  assert.deepEqual(await doors(), { domain: null, smtp: false, isKeyOnly: false })
  assert.deepEqual(await doors('in.kontor.example'), { domain: 'in.kontor.example', smtp: false, isKeyOnly: false })
})
