import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { fetchBase } from '../../src/cluster/fetch-base.ts'
import { Gateway } from '../../src/cluster/gateway.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { latency } from '../support/fault-times.ts'
import { listenHere } from './listen-here.ts'

test('An answer of etcd may take longer than a second, as long as more of it comes', async (t) => {
  const port = await listenHere(t, async (_req, res) => {
    for (const part of ['{"succeeded"', ':', 'tr', 'ue', '}']) {
      res.write(part)
      await latency(400)
    }
    res.end()
  })
  const gateway = new Gateway({ endpoints: [{ host: '127.0.0.1', port }] })
  t.after(() => gateway.close())

  assert.deepEqual(await gateway.call('/v3/kv/txn', {}, true), { succeeded: true })
})

test('A large request to etcd may take longer than a second to arrive', async (t) => {
  const port = await listenHere(t, async (req, res) => {
    for await (const _ of req);
    await latency(1_500)
    res.end('{"succeeded":true}')
  })
  const gateway = new Gateway({ endpoints: [{ host: '127.0.0.1', port }] })
  t.after(() => gateway.close())

  assert.deepEqual(await gateway.call('/v3/kv/txn', { value: 'x'.repeat(2 ** 20) }, false), { succeeded: true })
})

test('A server that joins does not wait long for a leader that accepts its request and answers nothing', async (t) => {
  const port = await listenHere(t, () => {})
  const copying = fetchBase(`http://127.0.0.1:${port}`, join(temporaryDirectory(t), 'kontor.db'), {
    ...{ log: 'log', secret: 'secret', stallMsMax: 50 },
  })

  await assert.rejects(copying, /The leader at .* cannot be reached: The leader sends nothing/)
})
