import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Received } from '../../../src/content/contents.ts'
import { MemoryContents } from '../../../src/content/memory.ts'
import { assertError } from '../../support/client.ts'
import { testUnless } from '../../support/needs.ts'
import type { StartOptions } from '../../support/start.ts'
import { newColleague } from '../../support/visitor.ts'
import { until } from '../../support/wait.ts'
import { startDovecot, withoutDovecot } from './imap/dovecot.ts'
import { mailboxes, newSource, sourcesPath, untilRead } from './imap/sources.ts'
import { deliverMail, mailWithFile, newAddress, rawMail, startWithMail } from './mails.ts'

const mailboxPauses = { firstMs: 10, lastMs: 10, longMs: 10 }
const withDovecot = testUnless(withoutDovecot)

/** Does something once, between the reading of a message and the transaction that records it. */
class Interrupted extends MemoryContents {
  meanwhile: (() => Promise<unknown>) | undefined

  override async receive(...given: Parameters<MemoryContents['receive']>): Promise<Received> {
    const received = await super.receive(...given)
    const keep = async (workspaceId: number) => {
      const run = this.meanwhile
      this.meanwhile = undefined
      await run?.()
      return received.keep(workspaceId)
    }
    return { ...received, keep }
  }
}

/** A server whose deliveries are interrupted, with an owner and a member. */
async function open(t: TestContext, options: StartOptions = {}) {
  const contents = new Interrupted()
  const server = await startWithMail(t, { ...options, contents })
  const { client } = await server.company('Acme')
  const owner = await newColleague(server, 'owner')
  const member = await newColleague(server, 'member')
  const deactivate = async () =>
    assert.equal((await owner.patch(`/console/users/${member.id}`, { is_active: false })).status, 200)
  const stored = () => server.store.access.value<number>('SELECT count(*) FROM main.message')!
  return { contents, client, owner, member, deactivate, stored }
}

const withAttachment = () => mailWithFile('offer.pdf', '%PDF-1.7')

test('A message to an address that is removed while it is stored is not recorded, and nobody has the address then', async (t) => {
  const { contents, client, stored } = await open(t)
  const { id, address } = await newAddress(client)
  contents.meanwhile = () => client.delete(`/api-v1-mail-addresses/${id}`)

  assertError(await deliverMail(client, address, withAttachment()), 503, 'SERVICE_UNAVAILABLE')
  assertError(await deliverMail(client, address, withAttachment()), 404, 'NOT_FOUND')
  assert.equal(stored(), 0)
})

test('A message to the address of a user who is deactivated while it is stored is not recorded', async (t) => {
  const { contents, client, member, deactivate, stored } = await open(t)
  const { address } = await newAddress(client, { kind: 'user', user_id: member.id, audience: 'participants' })
  contents.meanwhile = deactivate

  assertError(await deliverMail(client, address, withAttachment()), 503, 'SERVICE_UNAVAILABLE')
  assert.equal(stored(), 0)
})

withDovecot('A message of a mailbox that becomes private while it is stored is private', async (t) => {
  const dovecot = await startDovecot(t)
  const { contents, client, member } = await open(t, { mailboxes, mailboxPauses })
  const source = await newSource(member, dovecot.port, { audience: 'team' })
  await untilRead(member, source.id)
  contents.meanwhile = () => member.patch(`${sourcesPath}/${source.id}`, { audience: 'participants' })
  dovecot.deliver(rawMail())

  const seen = await until('the message is stored', async () => (await member.get('/api-v1-messages')).body.data, {
    is: ({ length }) => length > 0,
  })
  assert.deepEqual([seen.length, seen[0].audience], [1, 'participants'])
  assert.equal((await client.get('/api-v1-messages')).body.data.length, 0)
})
