import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { test } from 'node:test'
import type { Client } from '../support/client.ts'
import { administerHere, runHere } from '../support/command.ts'
import { bundle, run } from '../support/program.ts'
import { until } from '../support/wait.ts'
import { at, caughtUp, keyAt, leaderOf, leads, type Node, startNode, startThree } from './cluster.ts'
import { startFakeEtcd } from './fake-etcd.ts'
import { type Three, testThree } from './three.ts'

const path = '/api-v1-organizations'

/** The databases that a server has set aside. */
function deposedIn({ directory }: Node): string[] {
  return readdirSync(directory).filter((name) => /^kontor\.db\.deposed-\d{8}T\d{6}Z$/.test(name))
}

/** Starts the former leader again, and reads there what another one wrote meanwhile. */
async function followsAgain(three: Three, [former, ...others]: readonly Node[], client: Client): Promise<Node> {
  const next = await leaderOf(others)
  const created = await at(next, client).post(path, { name: 'Afterwards' })
  const back = await three.restart(former!)
  const there = await caughtUp(back, client, created)
  assert.equal((await there.get(`${path}/${created.body.data.id}`)).status, 200)
  return back
}

testThree('Three servers of a log', {
  async 'A write at the leader is read at every follower, which refuses writes and names the leader'(three) {
    const [leader, ...followers] = await three.whole()
    const client = await keyAt(leader)

    const created = await client.post(path, { name: 'Südwind' })
    const { status, headers, body } = created
    const position = headers.get('kontor-position')!

    assert.equal(status, 201)
    assert.match(position, /^\d+$/)
    for (const follower of followers) {
      const there = await caughtUp(follower, client, created)
      const read = await there.get(`${path}/${body.data.id}`, { 'Kontor-Min-Position': position })
      assert.deepEqual([read.status, read.body], [200, { ...body }])
      assert.ok(Number(read.headers.get('kontor-position')) >= Number(position))
      const refused = await there.post(path, { name: 'Westwind' })
      assert.deepEqual(
        [
          refused.status,
          refused.body.error.code,
          refused.headers.get('kontor-leader'),
          refused.headers.get('retry-after'),
        ],
        [503, 'SERVICE_UNAVAILABLE', leader.url, '1'],
      )
      assert.deepEqual([await leads(follower), (await fetch(`${follower.url}/readyz`)).status], [false, 200])
    }
    assert.equal((await client.get(path)).body.data.length, 1)
  },

  async 'A read waits for its position for a second, and then says where it is'(three) {
    const [leader] = await three.whole()
    const client = await keyAt(leader)

    const early = await client.get(path, { 'Kontor-Min-Position': '1000' })
    const invalid = await client.get(path, { 'Kontor-Min-Position': 'soon' })

    assert.equal(early.status, 503)
    assert.match(early.headers.get('kontor-position')!, /^\d+$/)
    assert.equal(invalid.status, 400)
  },

  async 'When the leader is killed, another server has everything that was acknowledged, and leads'(three) {
    const nodes = await three.whole()
    const client = await keyAt(nodes[0])
    const ids: string[] = []
    for (let n = 0; n < 30; n++) ids.push((await client.post(path, { name: `Number ${n}` })).body.data.id)

    await nodes[0].stop('SIGKILL')
    const next = await leaderOf(nodes.slice(1))
    const there = at(next, client)

    for (const id of ids) assert.equal((await there.get(`${path}/${id}`)).status, 200)
    assert.equal((await there.post(path, { name: 'Afterwards' })).status, 201)
  },

  async 'A leader that was killed comes back with a copy of the new leader’s database, and its own is set aside'(
    three,
  ) {
    const nodes = await three.whole()
    const client = await keyAt(nodes[0])
    const before = deposedIn(nodes[0])
    await client.post(path, { name: 'Before' })
    await nodes[0].stop('SIGKILL')
    await followsAgain(three, nodes, client)

    assert.ok(deposedIn(nodes[0]).some((name) => !before.includes(name)))
  },

  async 'A leader that was paused acknowledges nothing after another one leads, and exits with code 1'(three) {
    const nodes = await three.whole()
    const client = await keyAt(nodes[0])
    const { body } = await client.post(path, { name: 'Before' })
    nodes[0].child.kill('SIGSTOP')
    const waiting = client.patch(`${path}/${body.data.id}`, { name: 'During' }).catch(() => undefined)
    const reading = client.get(path).catch(() => undefined)
    const next = await leaderOf(nodes.slice(1))
    await at(next, client).patch(`${path}/${body.data.id}`, { name: 'Afterwards' })

    nodes[0].child.kill('SIGCONT')

    assert.equal(await nodes[0].exited, 1)
    for (const response of [await waiting, await reading]) assert.ok(response === undefined || response.status === 503)
    const { body: now } = await at(next, client).get(`${path}/${body.data.id}`)
    assert.equal(now.data.name, 'Afterwards')
  },

  async 'A leader that is stopped hands over: it exits with code 0, and follows with the same database when it is started again'(
    three,
  ) {
    const nodes = await three.whole()
    const client = await keyAt(nodes[0])
    const before = deposedIn(nodes[0])
    await client.post(path, { name: 'Before' })

    assert.equal(await nodes[0].stop(), 0)
    const back = await followsAgain(three, nodes, client)

    assert.ok(!back.lines.some((line) => line.includes('copying the database')))
    assert.deepEqual(deposedIn(nodes[0]), before)
  },

  async 'All servers are killed at once: the one that led continues with everything and with commands, at another address, also if it is started before they have ended'(
    three,
  ) {
    const nodes = await three.whole()
    const client = await keyAt(nodes[0])
    const ids: string[] = []
    for (let n = 0; n < 20; n++) ids.push((await client.post(path, { name: `Number ${n}` })).body.data.id)
    const ends = nodes.map((node) => node.stop('SIGKILL'))

    const back = await three.restart(nodes[0])
    await Promise.all(ends)
    await leaderOf([back])
    const others = await Promise.all(nodes.slice(1).map((node) => three.restart(node)))
    await administerHere('company', 'create', '--name', 'By a command', '--data', back.directory)
    const created = await at(back, client).post(path, { name: 'Afterwards' })

    for (const node of [back, ...others]) {
      const there = await caughtUp(node, client, created)
      assert.equal((await there.get(`${path}/${created.body.data.id}`)).status, 200)
      for (const id of ids) assert.equal((await there.get(`${path}/${id}`)).status, 200)
    }
  },

  async 'Commands are part of the log: at the leader, at a follower that refuses to write, and without a server'(
    three,
  ) {
    const [leader, follower] = await three.whole()
    const client = await keyAt(leader)
    const me = await client.get('/api-v1-me')
    const { id } = me.body.data.company
    await caughtUp(follower, client, me)

    const create = (directory: string) =>
      runHere(['company', 'create', '--name', 'Nordwind', '--data', directory, '--json'])
    const refused = await create(follower.directory)
    const { companies } = await administerHere('company', 'list', '--data', follower.directory)

    assert.equal(refused.code, 1)
    assert.match(refused.stderr, new RegExp(`run the command on the machine of ${leader.url}`))
    assert.ok(companies.some((company: { id: string }) => company.id === id))
    assert.ok(!companies.some(({ name }: { name: string }) => name === 'Nordwind'))
  },

  async 'The copy of the database is for servers of the log only'(three) {
    const [leader] = await three.whole()

    const without = await fetch(`${leader.url}/cluster/base`)
    const wrong = await fetch(`${leader.url}/cluster/base`, { headers: { Authorization: `Bearer ${'0'.repeat(64)}` } })

    assert.deepEqual([without.status, wrong.status], [401, 401])
  },

  async 'A server whose database is removed from its directory ends, and another one leads'(three) {
    const [leader, ...followers] = await three.whole()
    const client = await keyAt(leader)
    const { body } = await client.post(path, { name: 'Before' })

    rmSync(leader.directory, { recursive: true })
    await leader.exited
    const next = at(await leaderOf(followers), client)

    assert.ok(leader.lines.some((line) => line.includes('the database is no longer in its directory')))
    assert.equal((await next.get(`${path}/${body.data.id}`)).status, 200)
    assert.equal((await next.post(path, { name: 'After' })).status, 201)
  },
})

test('A directory that does not belong to the log is refused, and stays as it is', async (t) => {
  const etcd = await startFakeEtcd(t)
  await startNode(t, etcd.url)
  const other = await startFakeEtcd(t)
  const stranger = await startNode(t, other.url)
  await stranger.stop()

  const { code, stderr } = await run(bundle, [
    ...['serve', '--data', stranger.directory, '--port', '0', '--log', etcd.url, '--advertise', stranger.url],
  ])

  assert.equal(code, 1)
  assert.match(stderr, /does not belong to this log: move .*kontor\.db away/)
})

test('kontor log shows who leads, and how far each server is behind', async (t) => {
  const etcd = await startFakeEtcd(t)
  const [leader, ...followers] = await startThree(t, etcd.url)
  const client = await keyAt(leader)
  await client.post(path, { name: 'Südwind' })

  let shown = await administerHere('log', '--data', leader.directory)
  await until('every server has everything', async () => {
    shown = await administerHere('log', '--data', leader.directory)
    return shown.nodes.length === 3 && shown.nodes.every(({ behind }: { behind: number }) => behind === 0)
  })

  assert.deepEqual([shown.leader, shown.epoch], [leader.url, 1])
  assert.ok(shown.position >= 1 && shown.bytes > 0)
  const urls = shown.nodes.map(({ url }: { url: string }) => url).sort()
  assert.deepEqual(urls, [leader, ...followers].map(({ url }) => url).sort())
})
