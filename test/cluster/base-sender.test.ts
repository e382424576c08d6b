import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFakeEtcd } from './fake-etcd.ts'
import { inReverse, startOwnNode } from './own-node.ts'

test('A leader sends its database to one server at a time', async (test) => {
  const t = inReverse(test)
  const { member } = await startOwnNode(t, (await startFakeEtcd(t)).url)
  const first = await member.openBase()

  await assert.rejects(member.openBase(), { code: 'SERVICE_UNAVAILABLE' })

  for await (const part of first) assert.ok(part.length > 0)
  for await (const part of await member.openBase()) assert.ok(part.length > 0)
})
