import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newAddress, rawMail } from '../features/mail/mails.ts'
import { send } from '../support/client.ts'
import { startS3 } from '../support/s3-server.ts'
import { until } from '../support/wait.ts'
import { at, keyAt, leaderOf, leads, startNode } from './cluster.ts'
import { startFakeEtcd } from './fake-etcd.ts'

test('Mail that a server has accepted and not delivered is delivered, once, by the server that leads after it', async (t) => {
  const [etcd, s3] = [await startFakeEtcd(t), await startS3(t)]
  const env = { ...s3.env, KONTOR_MAIL_DOMAIN: 'in.kontor.example' }
  const first = await startNode(t, etcd.url, { env })
  await until('the first server leads', () => leads(first))
  const second = await startNode(t, etcd.url, { env })
  const client = await keyAt(first)
  const { address } = await newAddress(client)
  s3.fault = () => 503
  const { status } = await send(`${first.url}/mail/in?address=${encodeURIComponent(address)}`, {
    method: 'POST',
    headers: { 'Content-Type': 'message/rfc822' },
    body: rawMail(),
  })
  assert.equal(status, 202)

  await first.stop('SIGKILL')
  s3.fault = () => undefined
  await leaderOf([second])
  await startNode(t, etcd.url, { directory: first.directory, env })

  const there = at(second, client)
  const [message] = await until('the message is delivered', async () => {
    const { data } = (await there.get('/api-v1-messages')).body
    return data?.length > 0 && data
  })
  assert.equal(message.subject, 'Hampers')
  assert.equal((await there.get('/api-v1-messages')).body.pagination.total, 1)
})
