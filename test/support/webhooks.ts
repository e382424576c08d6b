import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Client } from './client.ts'
import type { JsonRecord } from './make.ts'
import { eventually, Receiver } from './receiver.ts'
import { type ServeOptions, serve } from './serve.ts'

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
  { fields = {}, ...options }: ServeOptions & { fields?: object } = {},
) {
  const server = await serve(t, { webhooks: 'here', ...options })
  const client = await server.client()
  const receiver = await Receiver.open(t)
  const webhook = await addWebhook(client, receiver.url, fields)
  return { server, client, receiver, webhook, path: `${webhooksPath}/${webhook.id}` }
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
  let found: JsonRecord[] = []
  await eventually(async () => {
    found = await deliveriesOf(client, webhook, `&status=${status}`)
    return found.length >= count
  })
  return found.reverse()
}
