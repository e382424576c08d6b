import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gateway } from '../../src/cluster/gateway.ts'
import { listenHere } from './listen-here.ts'

test('A token that etcd refuses because its users have changed is replaced by a new one', async (t) => {
  let tokens = 0
  const port = await listenHere(t, ({ url, headers }, res) => {
    const isOld = headers.authorization !== '2'
    if (url === '/v3/auth/authenticate') res.end(JSON.stringify({ token: String(++tokens) }))
    else if (isOld) res.end('{"error":"etcdserver: revision of auth store is old","code":3}')
    else res.end('{"succeeded":true}')
  })
  const gateway = new Gateway({ endpoints: [{ host: '127.0.0.1', port }], user: 'kontor', password: 'secret' })
  t.after(() => gateway.close())

  assert.deepEqual(await gateway.call('/v3/kv/txn', {}, false), { succeeded: true })
})
