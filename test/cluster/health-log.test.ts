import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFakeEtcd } from './fake-etcd.ts'
import { inReverse, startOwnNode } from './own-node.ts'

test('The request log of a server with a log knows the path of health checks, and leaves them out', async (test) => {
  const t = inReverse(test)
  const etcd = await startFakeEtcd(t)
  const routes: (string | undefined)[] = []
  const { url } = await startOwnNode(t, etcd.url, {
    firstLayers: [
      async ({ state }, next) => {
        await next()
        routes.push(state.route)
      },
    ],
  })

  for (const path of ['/readyz/leader', '/readyz', '/healthz']) await fetch(url + path)

  assert.deepEqual(routes, ['/readyz/leader', '/readyz', '/healthz'])
})
