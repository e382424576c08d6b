import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../support/directory.ts'
import { until } from '../support/wait.ts'
import { caughtUp, keyAt, leads, startNode } from './cluster.ts'
import { startFakeEtcd } from './fake-etcd.ts'
import { testThree } from './three.ts'

const path = '/api-v1-organizations'

testThree('Three servers of a log, and one that is taken for another', {
  async 'A server on a copy of the data directory of one that runs ends, and says why'(three, t) {
    const [leader] = await three.whole()
    const client = await keyAt(leader)
    const directory = join(temporaryDirectory(t), 'copy')
    cpSync(leader.directory, directory, { recursive: true, filter: (file) => !file.endsWith('.lock') })

    const copy = await startNode(t, three.etcd.url, { directory, wait: false })
    assert.notEqual(await copy.exited, 0)
    assert.match(copy.lines.join('\n'), new RegExp(`is a copy of the data directory of ${leader.url}, which runs`))
    assert.equal(await leads(leader), true)
    assert.equal((await client.post(path, { name: 'Acme' })).status, 201)
  },

  async 'A second server with the address of another one ends, and the first goes on'(three, t) {
    const [leader, follower] = await three.whole()
    const client = await keyAt(leader)
    const second = await startNode(t, three.etcd.url, { args: ['--advertise', follower.url], wait: false })
    assert.notEqual(await second.exited, 0)
    assert.match(second.lines.join('\n'), new RegExp(`Another server runs with --advertise ${follower.url}`))
    const there = await caughtUp(follower, client, await client.post(path, { name: 'Acme' }))
    const read = await there.get(path)
    assert.equal(read.body.pagination.total, 1)
  },

  async 'A server that was killed and gets a new address or a new directory starts once its lease has ended'(three, t) {
    const [leader, follower, another] = await three.whole()
    const client = await keyAt(leader)
    for (const node of [follower, another]) {
      node.child.kill('SIGKILL')
      await node.exited
    }
    const moved = await three.restart(follower)
    const replaced = await startNode(t, three.etcd.url, { port: Number(new URL(another.url).port) })
    const created = await client.post(path, { name: 'Acme' })
    for (const node of [moved, replaced]) {
      const there = await caughtUp(node, client, created)
      assert.equal((await there.get(`${path}/${created.body.data.id}`)).status, 200)
    }
  },
})

test('Of two servers that are started with the same address at once, one runs', async (t) => {
  const etcd = await startFakeEtcd(t)
  const args = ['--advertise', 'http://127.0.0.1:1']
  const both = await Promise.all([0, 1].map(() => startNode(t, etcd.url, { args, wait: false })))
  const states = () => both.map(({ child, lines }) => ({ code: child.exitCode, lines }))
  const after = await until('one of them has ended', states, { is: (now) => now.some(({ code }) => code !== null) })
  const ended = both[after.findIndex(({ code }) => code !== null)]!
  assert.notEqual(await ended.exited, 0)
  assert.match(ended.lines.join('\n'), /Another server runs with --advertise/)
  const [other] = both.filter((node) => node !== ended)
  await until('the other one listens', () => other!.lines.some((line) => line.includes('"msg":"listening"')))
})
