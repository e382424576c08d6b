import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../support/directory.ts'
import { administer, bundle } from '../support/program.ts'
import { at, keyAt, leaderOf, startThree } from './cluster.ts'
import { startFakeEtcd } from './fake-etcd.ts'

test('When the leader is killed after the export of a company, the next one does not serve the company either', async (t) => {
  const etcd = await startFakeEtcd(t)
  const nodes = await startThree(t, etcd.url)
  const client = await keyAt(nodes[0])
  const { directory } = nodes[0]
  const { companies } = await administer(bundle, 'company', 'list', '--data', directory)
  const file = join(temporaryDirectory(t), 'acme.kontor')
  await administer(bundle, 'company', 'export', companies[0].id, file, '--data', directory)
  await nodes[0].stop('SIGKILL')

  const next = await leaderOf(nodes.slice(1))

  const refused = await at(next, client).post('/api-v1-organizations', { name: 'Lost' })
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5'])
})
