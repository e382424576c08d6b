import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import type { Client } from '../../support/client.ts'
import { make } from '../../support/make.ts'
import { type Server, start } from '../../support/start.ts'
import { turn, until } from '../../support/wait.ts'
import { Receiver } from './receiver.ts'
import { addWebhook, untilDelivered, webhooksPath } from './webhooks.ts'

/** As many as a workspace may have. */
const webhooks = 20
const retryMs = 10_000

interface Neighbour {
  client: Client
  receiver: Receiver
  hooks: { id: string }[]
  /** Requests that it has received and not answered, oldest first. */
  held: ServerResponse[]
}

/** A company with webhooks whose receiver can be made to hold its responses. */
async function neighbour(t: TestContext, server: Server, name: string, count: number): Promise<Neighbour> {
  const { client } = await server.company(name)
  const receiver = await Receiver.open(t)
  const hooks = []
  for (let n = 0; n < count; n++) hooks.push(await addWebhook(client, `${receiver.url}/${n}`))
  return { client, receiver, hooks, held: [] }
}

function hold({ receiver, held }: Neighbour): void {
  receiver.respond = (response) => held.push(response)
}

function webhooksOf({ received }: Receiver): string[] {
  return received.map(({ headers }) => String(headers['webhook-id']).split('_')[1]!)
}

/** Lets the server look for what is due. */
function look({ client, hooks }: Neighbour): Promise<unknown> {
  return client.patch(`${webhooksPath}/${hooks[0]!.id}`, { description: `${Math.random()}` })
}

test('Receivers that respond slowly delay only the webhooks of their own company', async (t) => {
  const server = await start(t, { webhooks: 'here' })
  const slow = await neighbour(t, server, 'Slow', webhooks)
  const other = await neighbour(t, server, 'Other', 1)
  await make(slow.client, 'organization')
  await slow.receiver.until(webhooks)

  hold(slow)
  for (let n = 0; n < 5; n++) await make(slow.client, 'organization')
  await until('16 attempts are held', () => slow.held.length, { is: (count) => count >= 16 })
  for (let n = 0; n < 3; n++) await make(other.client, 'organization')

  await other.receiver.until(3)
})

test('Receivers that hang do not keep another company from its next attempts', async (t) => {
  const server = await start(t, { webhooks: 'here' })
  const hanging = await neighbour(t, server, 'Hanging', webhooks)
  const other = await neighbour(t, server, 'Other', 1)
  for (const { receiver } of [hanging, other]) receiver.respond = (response) => response.writeHead(500).end()
  for (const { client, hooks } of [hanging, other]) {
    await make(client, 'organization')
    for (const hook of hooks) await untilDelivered(client, hook, 1, 'pending')
  }

  hold(hanging)
  other.receiver.respond = (response) => response.writeHead(204).end()
  server.clock.advance(retryMs)
  await look(hanging)
  await until('12 attempts are held', () => hanging.held.length, { is: (count) => count >= 12 })
  await look(other)
  await make(other.client, 'organization')

  await other.receiver.until(3)
})

test('Failing webhooks of a company take turns', async (t) => {
  const server = await start(t, { webhooks: 'here' })
  const failing = await neighbour(t, server, 'Failing', webhooks)
  const { client, receiver, hooks, held } = failing
  receiver.respond = (response) => response.writeHead(500).end()
  for (let n = 0; n < 3; n++) await make(client, 'organization')
  for (const hook of hooks) await untilDelivered(client, hook, 3, 'pending')
  await server.store.synced() // until then, a webhook is looked at alone when its outcome is stored
  await turn()
  const before = receiver.received.length

  hold(failing)
  server.clock.advance(retryMs)
  await look(failing)
  await until('12 attempts are held', () => held.length, { is: (count) => count === 12 })
  for (let more = 1; more <= 8; more++) {
    held[more - 1]!.writeHead(500).end()
    await receiver.until(before + 12 + more)
  }

  assert.equal(new Set(webhooksOf(receiver).slice(before)).size, webhooks)
})
