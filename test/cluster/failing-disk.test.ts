import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { leaveIfDiskFails } from '../../src/cluster/failing-disk.ts'
import { faultyDisk } from '../store/faulty-disk.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { at, caughtUp, keyAt, leaderOf, startNode } from './cluster.ts'
import { startFakeEtcd } from './fake-etcd.ts'

const args = ['--log-lease', '2s']

test('A leader whose disk refuses writes leaves the lead to a server that has everything, and follows it when its disk is sound again', async (t) => {
  const etcd = await startFakeEtcd(t)
  const work = temporaryDirectory(t)
  const directory = join(work, 'data')
  const disk = faultyDisk(work, directory)
  const failing = await startNode(t, etcd.url, { directory, args, env: disk.env })
  await leaderOf([failing])
  const client = await keyAt(failing)
  const sound = await startNode(t, etcd.url, { args })
  const before = await make(client, 'organization', { name: 'Before' })

  disk.fail('write', 'log', 'ENOSPC')
  assert.equal((await client.post('/api-v1-organizations', { name: 'Refused' })).status, 503)

  assert.equal(await failing.exited, 1)
  assert.equal(await leaderOf([sound]), sound)
  const there = at(sound, client)
  assert.equal((await there.get(`/api-v1-organizations/${before.id}`)).status, 200)
  const written = await there.post('/api-v1-organizations', { name: 'After' })
  assert.equal(written.status, 201)
  disk.heal()
  const again = await startNode(t, etcd.url, {
    directory,
    args,
    env: disk.env,
    port: Number(new URL(failing.url).port),
  })
  const { body } = await (await caughtUp(again, client, written)).get('/api-v1-organizations?sort=name')
  assert.deepEqual(
    body.data.map(({ name }: { name: string }) => name),
    ['After', 'Before'],
  )
})

test('A leader whose disk refuses writes goes on while no other server has everything and space on its disk, or for two leases', async () => {
  const own = { node: 'own', url: 'http://own', position: 7, version: '1', room: true }
  const other = { ...own, node: 'other', url: 'http://other' }
  const ask = async (faultMs: number, nodes: object[]) => {
    const done: string[] = []
    const log = { nodes: async () => nodes, resign: async () => void done.push('resigned') }
    const place = { node: 'own', self: own, settings: { logLeaseSeconds: 5 } }
    const store = () => ({ disk: { faultMs } })
    await leaveIfDiskFails({ joined: { place, log }, store, onFatal: () => done.push('ended') } as never, 7)
    return done
  }

  assert.deepEqual(await ask(10_000, [own, other]), ['resigned', 'ended'])
  assert.deepEqual(await ask(9_999, [own, other]), [])
  assert.deepEqual(await ask(10_000, [own]), [])
  assert.deepEqual(await ask(10_000, [own, { ...other, position: 6 }]), [])
  assert.deepEqual(await ask(10_000, [own, { ...other, room: false }]), [])
  assert.deepEqual(await ask(10_000, [own, { ...other, room: undefined }]), [])
})
