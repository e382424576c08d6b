import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Client } from '../../support/client.ts'
import { type JsonRecord, make } from '../../support/make.ts'
import { type Server, type StartOptions, start } from '../../support/start.ts'
import { until } from '../../support/wait.ts'
import { Receiver } from './receiver.ts'

export const webhooksPath = '/api-v1-webhooks'

/** Creates a webhook. The response has its secret. */
export async function addWebhook(client: Client, url: string, fields: object = {}): Promise<JsonRecord> {
  const { status, body } = await client.post(webhooksPath, { url, events: ['*'], ...fields })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

/** A company whose changes are sent to a receiver, and the webhook that sends them. */
export async function openWebhook(
  t: TestContext,
  { fields = {}, ...options }: StartOptions & { fields?: object } = {},
) {
  const server = await start(t, { webhooks: 'here', ...options })
  const client = await server.client()
  const receiver = await Receiver.open(t)
  const webhook = await addWebhook(client, receiver.url, fields)
  return { server, client, receiver, webhook, path: `${webhooksPath}/${webhook.id}` }
}

/** Resolves when a change of another company has been sent: whatever a server was to send before is on its way. */
export async function untilOthersAreServed(
  t: Pick<TestContext, 'after'>,
  server: Pick<Server, 'client'>,
  plan?: string,
): Promise<void> {
  const [client, receiver] = [await server.client(plan), await Receiver.open(t)]
  await addWebhook(client, receiver.url)
  await make(client, 'organization')
  await receiver.until(1)
}

export async function deliveriesOf(
  client: Pick<Client, 'get'>,
  { id }: { id: string },
  query = '',
): Promise<JsonRecord[]> {
  return (await client.get(`${webhooksPath}/${id}/deliveries?limit=100${query}`)).body.data
}

/** Waits until so many deliveries have a status. Returns them, oldest first. */
export async function untilDelivered(
  client: Pick<Client, 'get'>,
  webhook: { id: string },
  count: number,
  status = 'succeeded',
): Promise<JsonRecord[]> {
  const read = () => deliveriesOf(client, webhook, `&status=${status}`)
  const found = await until(`${count} deliveries have ${status}`, read, { is: ({ length }) => length >= count })
  return found.reverse()
}
