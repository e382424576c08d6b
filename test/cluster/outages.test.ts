import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { temporaryDirectory } from '../support/directory.ts'
import { freePort } from '../support/free-port.ts'
import { administer, bundle } from '../support/program.ts'
import { until } from '../support/wait.ts'
import { at, caughtUp, keyAt, leaderOf, leads, startNode } from './cluster.ts'
import { startFakeEtcd } from './fake-etcd.ts'
import { testThree } from './three.ts'

const path = '/api-v1-organizations'

testThree('Three servers of a log that fails', {
  async 'Without a majority, writes are refused within five seconds, followers answer reads, and writes continue when it returns'(
    three,
  ) {
    const nodes = await three.whole()
    const [leader, follower] = nodes
    const client = await keyAt(leader)
    const created = await client.post(path, { name: 'Before' })
    const { body } = created
    const there = await caughtUp(follower, client, created)

    three.etcd.fault = () => 'hangs'
    const refused = await Promise.all(Array.from({ length: 8 }, (_, n) => client.post(path, { name: `During ${n}` })))
    await until('the lease has ended', async () => (await client.get(path)).status, { is: (status) => status === 503 })
    const reads = [await there.get(`${path}/${body.data.id}`), await there.get('/api-v1-changes?after=start')]
    three.etcd.fault = () => undefined
    const next = at(await leaderOf(nodes), client) // whichever came first
    const after = await next.post(path, { name: 'Afterwards' })
    const { body: found } = await next.get(path)

    for (const response of refused) {
      assert.deepEqual([response.status, response.headers.get('kontor-leader')], [503, null])
    }
    for (const read of reads) assert.equal(read.status, 200)
    assert.equal(after.status, 201)
    const names = found.data.map(({ name }: { name: string }) => name)
    assert.ok(names.includes('Before') && names.includes('Afterwards'))
    assert.equal(new Set(names).size, names.length, 'what was written during the outage is there once, or not at all')
  },

  async 'A leader that was replaced answers nothing even with a new lease'(three) {
    const [leader, ...followers] = await three.whole()
    const client = await keyAt(leader)
    leader.child.kill('SIGSTOP')
    const next = at(await leaderOf(followers), client)
    assert.equal((await next.post(path, { name: 'After it' })).status, 201)
    const others = three.etcd.leases()
    let hasLease = false
    three.etcd.fault = (called, _, { ID }) => {
      const isItsNew = called === '/v3/lease/keepalive' && three.etcd.leases().includes(ID!) && !others.includes(ID!)
      if (isItsNew) hasLease = true
      return called === '/v3/kv/txn' ? 'hangs' : undefined
    }
    leader.child.kill('SIGCONT')
    await until('it has a new lease', () => hasLease)

    for (let n = 0; n < 10; n++) {
      assert.deepEqual([(await client.get(path)).status, await leads(leader)], [503, false])
    }
    three.etcd.fault = () => undefined
    assert.equal(await leader.exited, 1)
  },

  async 'An append whose answer is lost is repeated: the write is acknowledged, once'(three) {
    const [leader, follower] = await three.whole()
    const client = await keyAt(leader)
    let lost = 0
    three.etcd.fault = (_, writes) => {
      if (!writes || lost >= 5) return undefined
      lost++
      return lost % 2 === 0 ? 'dropped before' : 'dropped after'
    }

    const created = await client.post(path, { name: 'Once' })

    assert.equal(created.status, 201)
    assert.ok(lost > 0)
    const { body } = await (await caughtUp(follower, client, created)).get(path)
    assert.deepEqual(
      body.data.map(({ name }: { name: string }) => name),
      ['Once'],
    )
  },
})

test('While etcd is full, writes are refused and a metric says so, the proxy sends reads to other servers, and commands that read work', async (t) => {
  const etcd = await startFakeEtcd(t)
  const port = await freePort()
  const leader = await startNode(t, etcd.url, { args: ['--metrics', `127.0.0.1:${port}`] })
  const client = await keyAt(leader)
  const metric = async (name: string) => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    return Number(new RegExp(`^kontor_log_${name} (.*)$`, 'm').exec(text)?.[1])
  }
  await client.post(path, { name: 'Before' })
  const before = await metric('failing')

  etcd.fault = (_, writes) => (writes ? 'full' : undefined)
  const refused = await client.post(path, { name: 'During' })
  const during = await metric('failing')
  const ready = await Promise.all(['/readyz', '/readyz/leader'].map((each) => fetch(`${leader.url}${each}`)))
  const { companies } = await administer(bundle, 'company', 'list', '--data', leader.directory)
  etcd.fault = () => undefined
  await until('writes are accepted again', () => leads(leader))

  assert.deepEqual([before, refused.status, during, companies.length], [0, 503, 1, 1])
  assert.deepEqual(
    ready.map(({ status }) => status),
    [503, 503],
  )
  assert.equal((await client.post(path, { name: 'Afterwards' })).status, 201)
  assert.deepEqual([await metric('leader'), await metric('failing'), await metric('fenced_total')], [1, 0, 0])
  assert.ok((await metric('position')) > 1 && (await metric('bytes')) > 0)
})

test('A follower that finds a damaged entry ends, and copies the leader’s database at its next start', async (t) => {
  const etcd = await startFakeEtcd(t)
  const leader = await startNode(t, etcd.url)
  const follower = await startNode(t, etcd.url)
  const client = await keyAt(leader)
  follower.child.kill('SIGSTOP')
  const created = await client.post(path, { name: 'Damaged on its way' })
  const newest = [...etcd.keys.keys()]
    .filter((key) => key.includes('/parts/'))
    .sort()
    .at(-1)!
  const { value } = etcd.keys.get(newest)!
  value[value.length - 1]! ^= 1

  follower.child.kill('SIGCONT')
  assert.equal(await follower.exited, 1)
  const back = await startNode(t, etcd.url, { directory: follower.directory })

  assert.ok(back.lines.some((line) => line.includes('copied the database')))
  const there = await caughtUp(back, client, created)
  assert.equal((await there.get(`${path}/${created.body.data.id}`)).status, 200)
})

test('A server that begins to lead while etcd stalls does its work in the background as soon as etcd answers', async (t) => {
  const etcd = await startFakeEtcd(t)
  const backups = temporaryDirectory(t)
  const first = await startNode(t, etcd.url)
  const args = ['--cell', 'aa', '--backup-dir', backups, '--backup-every', '1s']
  const second = await startNode(t, etcd.url, { args })
  let [hasTaken, stalls] = [false, true]
  etcd.fault = (_, writes, { success = [] }) => {
    const isTaken = hasTaken
    hasTaken ||= success.length === 1 && success[0]!.request_put?.key === Buffer.from('kontor/head').toString('base64')
    return isTaken && stalls && writes ? 'timed out before' : undefined
  }

  await first.stop('SIGKILL')
  const hasFailed = () => second.lines.some((line) => line.includes('The log did not confirm the write in time'))
  await until('a write of the new leader has failed', hasFailed)
  stalls = false

  await until('a backup is made', () => readdirSync(backups).length > 0)
  assert.equal(await leads(second), true)
  assert.equal(await second.stop(), 0)
})
