import assert from 'node:assert/strict'
import { test } from 'node:test'
import { make } from '../../support/make.ts'
import { deliverMessage } from '../../support/message.ts'
import { start } from '../../support/start.ts'
import { Receiver } from './receiver.ts'
import { addWebhook } from './webhooks.ts'

const attachment = { name: 'offer.pdf', mediaType: 'application/pdf', bytes: 3, sha256: 'a'.repeat(64) }

test('A webhook gets messages and their files only if it lists messages, and only those of the team', async (t) => {
  const server = await start(t, { webhooks: 'here' })
  const { id: companyId, client } = await server.company('Acme')
  const [all, listed] = [await Receiver.open(t), await Receiver.open(t)]
  await addWebhook(client, all.url)
  await addWebhook(client, listed.url, { events: ['message.*', 'file.created', 'organization.created'] })

  await deliverMessage(server.store, companyId, { attachments: [attachment] })
  await deliverMessage(server.store, companyId, { status: 'held', attachments: [attachment] })
  await make(client, 'organization')

  const typesOf = (receiver: Receiver) => receiver.received.map(({ data }) => data.type).sort()
  await listed.until(3)
  await all.until(1)
  assert.deepEqual(typesOf(listed), ['file.created', 'message.created', 'organization.created'])
  assert.deepEqual(typesOf(all), ['organization.created'])
})
