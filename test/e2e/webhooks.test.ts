import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Receiver, verify } from '../features/webhooks/receiver.ts'
import { addWebhook, deliveriesOf, webhooksPath } from '../features/webhooks/webhooks.ts'
import { newCertificate } from '../support/certificate.ts'
import { type Client, clientFor } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { latency, lifetime } from '../support/fault-times.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { firstClient } from '../support/prepare.ts'
import { bundle, launch } from '../support/program.ts'
import { until } from '../support/wait.ts'

const kills = 4
const perRound = 25
const writers = 5
/** The number of writes that a server acknowledges before it is killed. */
const leastPerRound = 5

test('After kill -9 at random moments, every acknowledged change reaches a receiver that fails, hangs and goes away', async (t) => {
  const data = temporaryDirectory(t)
  const serve = ['serve', '--data', data, '--port', '0', '--rate-limits', 'off', '--webhook-allow', '127.0.0.1']
  const receiver = await Receiver.open(t)
  receiver.respond = (response, count) => {
    if (count % 7 === 3) response.socket?.destroy()
    else if (count % 7 === 5) response.writeHead(503).end()
    else void latency(count % 3).then(() => response.writeHead(204).end())
  }
  const acknowledged: string[] = []
  let client: Client | undefined
  let webhook: JsonRecord

  for (let round = 0; round <= kills; round++) {
    const server = await launch(t, bundle, serve)
    const { url } = server.first
    const sender = client ? clientFor(url!, { id: client.keyId, key: client.key }) : await firstClient(data, url!)
    client = sender
    if (round === 0) webhook = await addWebhook(sender, receiver.url)
    if (round === 2) await receiver.close()
    const writes = Array.from({ length: writers }, async (_, writer) => {
      for (let n = 0; n < perRound / writers; n++) {
        const { status, body } = await sender.post('/api-v1-organizations', { name: `Acme ${round} ${writer} ${n}` })
        if (status === 201) acknowledged.push(body.data.id)
      }
    })
    if (round < kills) {
      const before = acknowledged.length
      await until('enough writes are acknowledged', () => acknowledged.length, {
        is: (count) => count >= before + leastPerRound,
      })
      await lifetime(7 * round)
      server.child.kill('SIGKILL')
    }
    await Promise.allSettled(writes)
    if (round < kills) await server.stop('SIGKILL') // until the process is gone
    if (round === 2) await receiver.listen()
  }
  receiver.respond = (response) => response.writeHead(204).end()
  for (const { id } of await deliveriesOf(client!, webhook!, '&status=pending')) {
    await client!.post(`${webhooksPath}/${webhook!.id}/deliveries/${id}/redeliver`, {})
  }
  const delivered = () => new Set(receiver.received.map(({ data }) => data.record_id))
  await until('every acknowledged write is delivered', () => acknowledged.filter((id) => !delivered().has(id)), {
    is: (missing) => missing.length === 0,
  })

  assert.ok(acknowledged.length >= kills * leastPerRound + perRound)
  const ids = new Map<number, Set<unknown>>()
  for (const each of receiver.received) {
    verify(webhook!.secret, each)
    ids.set(each.data.seq, (ids.get(each.data.seq) ?? new Set()).add(each.headers['webhook-id']))
  }
  for (const [seq, used] of ids) assert.equal(used.size, 1, `change ${seq} was sent with several webhook-ids`)
})

test('The built program sends changes by HTTPS', async (t) => {
  const data = temporaryDirectory(t)
  const { tlsCert, tlsKey } = newCertificate(data, 'localhost')
  const received: string[] = []
  const receiver = createServer({ cert: readFileSync(tlsCert), key: readFileSync(tlsKey) }, (request, response) => {
    received.push(request.url!)
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  t.after(() => receiver.close())
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  const serve = ['serve', '--data', data, '--port', '0', '--webhook-allow', '127.0.0.1']
  const { first } = await launch(t, bundle, serve, { env: { NODE_EXTRA_CA_CERTS: tlsCert } })
  const client = await firstClient(data, first.url!)

  const webhook = await addWebhook(client, `https://localhost:${port}/hook`)
  await make(client, 'organization')

  await until('the change has arrived', async () => ({ received, deliveries: await deliveriesOf(client, webhook) }), {
    is: () => received.length > 0,
  })
  assert.deepEqual(received, ['/hook'])
})
