import assert from 'node:assert/strict'
import { rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { administerHere, runHere } from '../support/command.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { freePort } from '../support/free-port.ts'
import { prepareCompany } from '../support/prepare.ts'
import { administer, bundle, run } from '../support/program.ts'
import { until, within } from '../support/wait.ts'
import { at, caughtUp, keyAt, keyOfCommands, leaderOf, startNode, startThree } from './cluster.ts'
import { type FakeEtcd, startFakeEtcd } from './fake-etcd.ts'
import { startEtcd, withoutEtcd } from './real-etcd.ts'

const path = '/api-v1-organizations'

/** What etcd answers to a range. */
interface Found {
  header: { revision: string }
  kvs?: unknown[]
  message?: string
}

const encoded = (text: string) => Buffer.from(text).toString('base64')

test('A restore that another command prevents leaves the directory in its log', async (t) => {
  const etcd = await startFakeEtcd(t)
  const { directory, stop } = await startNode(t, etcd.url)
  const file = join(temporaryDirectory(t), 'backup.db')
  await stop()
  await administerHere('backup', file, '--data', directory)
  const other = new Database(join(directory, 'kontor.db'))
  other.exec('BEGIN; SELECT 1 FROM sqlite_schema')

  const { code, stderr } = await runHere(['restore', file, '--data', directory])

  other.close()
  assert.deepEqual([code, /Another command is using/.test(stderr)], [1, true], stderr)
  await leaderOf([await startNode(t, etcd.url, { directory })])
})

test('A backup is restored with kontor log reset: the log begins anew, and the others copy the restored database', async (t) => {
  const etcd = await startFakeEtcd(t)
  const nodes = await startThree(t, etcd.url)
  const client = await keyOfCommands(nodes[0])
  await client.post(path, { name: 'In the backup' })
  const file = join(temporaryDirectory(t), 'backup.db')
  await administer(bundle, 'backup', file, '--data', nodes[0].directory)
  await client.post(path, { name: 'Later' })
  const running = await run(bundle, ['log', 'reset', '--data', nodes[1].directory])
  for (const node of nodes.toReversed()) await node.stop()
  const { directory } = nodes[0]
  await administer(bundle, 'restore', file, '--data', directory)

  const unreset = await run(bundle, [
    ...['serve', '--data', directory, '--port', '0', '--log', etcd.url, '--advertise', nodes[0].url],
  ])
  await administer(bundle, 'log', 'reset', '--data', directory)
  const first = await startNode(t, etcd.url, { directory })
  await leaderOf([first])
  const stale = await run(bundle, [
    ...['serve', '--data', nodes[1].directory, '--port', '0', '--log', etcd.url, '--advertise', nodes[1].url],
  ])
  for (const name of ['kontor.db', 'kontor.db-wal', 'kontor.db-shm', 'kontor.log.json'])
    rmSync(join(nodes[1].directory, name), { force: true })
  const second = await startNode(t, etcd.url, { directory: nodes[1].directory })

  assert.match(running.stderr, /already running|Servers of this log run/)
  assert.match(unreset.stderr, /does not belong to this log/)
  assert.match(stale.stderr, /does not belong to this log/)
  for (const node of [first, second]) {
    const { body } = await at(node, client).get(path)
    assert.deepEqual(
      body.data.map(({ name }: { name: string }) => name),
      ['In the backup'],
    )
  }
})

test('A follower that was paused while a new log was begun ends, and never shows its database with the new log', async (t) => {
  const etcd = await startFakeEtcd(t)
  const [leader, paused] = [await startNode(t, etcd.url), await startNode(t, etcd.url)]
  const client = await keyAt(leader)
  await caughtUp(paused, client, await client.post(path, { name: 'In both logs' }))
  paused.child.kill('SIGSTOP')
  await leader.stop()
  etcd.expire()
  await administer(bundle, 'log', 'reset', '--data', leader.directory)
  const first = at(await startNode(t, etcd.url, { directory: leader.directory }), client)
  for (let n = 0; n < 20; n++) assert.equal((await first.post(path, { name: `New ${n}` })).status, 201)

  paused.child.kill('SIGCONT')
  const code = await within('the follower has ended', paused.exited)
  const { url, directory } = paused
  const again = ['serve', '--data', directory, '--port', '0', '--log', etcd.url, '--advertise', url]
  const refused = await run(bundle, again)

  assert.equal(code, 1)
  assert.match(paused.lines.join('\n'), /The log is not the one that this node followed/)
  assert.match(refused.stderr, /does not belong to this log/)
})

for (const [what, lose] of [
  ['', () => {}],
  [', also if the log before it was lost', (etcd: FakeEtcd) => etcd.keys.clear()],
] as const) {
  test(`A new log continues the positions of the one before${what}: whoever has read one reads on`, async (t) => {
    const etcd = await startFakeEtcd(t)
    const leader = await startNode(t, etcd.url)
    const { directory } = leader
    const client = await keyAt(leader)
    for (let n = 0; n < 5; n++) await client.post(path, { name: `Before ${n}` })
    const last = (await client.get(path)).headers.get('kontor-position')!
    await leader.stop('SIGKILL')
    lose(etcd)
    etcd.expire()
    await administer(bundle, 'log', 'reset', '--data', directory)

    const next = await startNode(t, etcd.url, { directory })
    const read = await at(next, client).get(path, { 'Kontor-Min-Position': last })
    const written = await at(next, client).post(path, { name: 'Afterwards' })
    await next.stop('SIGKILL')
    truncateSync(join(directory, 'kontor.db-wal')) // as after a power cut: the disk lost what the log has
    rmSync(join(directory, 'kontor.db-shm'))
    const again = await startNode(t, etcd.url, { directory })
    const there = await caughtUp(await startNode(t, etcd.url), at(again, client), written)

    assert.equal(read.status, 200)
    const [before, first, second] = [last, ...[read, written].map(({ headers }) => headers.get('kontor-position'))]
    assert.ok(Number(before) < Number(first) && Number(first) < Number(second), `${before} < ${first} < ${second}`)
    assert.equal((await there.get(path)).body.data.length, 6)
  })
}

test('A backup is restored on a new machine, and a server that left its log returns: kontor log reset begins the log anew with its database', async (t) => {
  const etcd = await startFakeEtcd(t)
  const old = await startNode(t, etcd.url)
  const client = await keyAt(old)
  await client.post(path, { name: 'In the backup' })
  const file = join(temporaryDirectory(t), 'backup.db')
  await administer(bundle, 'backup', file, '--data', old.directory)
  await old.stop()
  const directory = join(temporaryDirectory(t), 'data')
  await administer(bundle, 'restore', file, '--data', directory)
  const port = await freePort()
  const log = ['--log', etcd.url, '--advertise', `http://127.0.0.1:${port}`]
  const attempt = (...args: string[]) => run(bundle, [...args, '--data', directory])

  const early = await attempt('serve', '--port', String(port), ...log)
  const unnamed = await attempt('log', 'reset')
  const reset = await attempt('log', 'reset', ...log)
  const first = await startNode(t, etcd.url, { directory, port })
  await leaderOf([first])
  await at(first, client).post(path, { name: 'Later' })
  await first.stop()
  rmSync(join(directory, 'kontor.log.json'))
  const alone = await attempt('company', 'create', '--name', 'Alone')
  const back = await attempt('log', 'reset', ...log)
  const again = await startNode(t, etcd.url, { directory, port })
  const second = await startNode(t, etcd.url)

  assert.match(early.stderr, /does not belong to this log: .* begin a new log with this one by "kontor log reset"/)
  assert.match(unnamed.stderr, /belongs to no log: say which one it begins anew with --log, and with --advertise/)
  for (const { code, stderr } of [reset, alone, back]) assert.deepEqual([code, stderr], [0, ''])
  for (const node of [await leaderOf([again]), second]) {
    const { body } = await at(node, client).get(path)
    assert.deepEqual(body.data.map(({ name }: { name: string }) => name).sort(), ['In the backup', 'Later'])
  }
})

test('After kontor log reset, etcd has nothing of the former log, also not as of an earlier revision, and it can be repeated', {
  skip: withoutEtcd,
}, async (t) => {
  const [member] = await startEtcd(t, 1)
  const leader = await startNode(t, `etcd://127.0.0.1:${member!.port}/kontor`)
  await keyAt(leader)
  await leader.stop()
  const ask = async (revision?: string) => {
    const range = { key: encoded('kontor/'), range_end: encoded('kontor0'), revision }
    const init = { method: 'POST', body: JSON.stringify(range) }
    return (await fetch(`http://127.0.0.1:${member!.port}/v3/kv/range`, init)).json() as Promise<Found>
  }
  const before = await ask()

  for (let time = 0; time < 2; time++) await administer(bundle, 'log', 'reset', '--data', leader.directory)

  assert.ok(before.kvs!.length > 2)
  assert.equal((await ask()).kvs, undefined)
  assert.match((await ask(before.header.revision)).message!, /has been compacted/)
})

test('A database without a log becomes the first of one, and a server leaves its log by removing the file that names it', async (t) => {
  const etcd = await startFakeEtcd(t)
  const directory = join(temporaryDirectory(t), 'data')
  const company = await prepareCompany(directory)

  const first = await startNode(t, etcd.url, { directory })
  await leaderOf([first])
  const second = await startNode(t, etcd.url)
  const { companies } = await administer(bundle, 'company', 'list', '--data', second.directory)
  await second.stop()
  await first.stop()
  rmSync(join(directory, 'kontor.log.json'))
  const alone = await administer(bundle, 'company', 'list', '--data', directory)

  assert.equal(companies[0].id, company)
  assert.equal(alone.companies[0].id, company)
})

test('A server does not start without --log in the directory of a log, whose next entries would damage what it writes', async (t) => {
  const etcd = await startFakeEtcd(t)
  const first = await startNode(t, etcd.url)
  await first.stop()

  const { code, stderr } = await run(bundle, ['serve', '--data', first.directory, '--port', '0'])

  assert.equal(code, 1)
  assert.match(stderr, /belongs to a log that servers share: start it with --log/)
})

test('With no server running, a command takes the lead, and its change is in the log', async (t) => {
  const etcd = await startFakeEtcd(t)
  const nodes = await startThree(t, etcd.url)
  await keyAt(nodes[0])
  for (const node of nodes) await node.stop()

  await administer(bundle, 'company', 'create', '--name', 'Nordwind', '--data', nodes[2].directory)

  const back = await startNode(t, etcd.url, { directory: nodes[0].directory })
  await until('the other company is there', async () => {
    const { companies } = await administer(bundle, 'company', 'list', '--data', back.directory)
    return companies.length === 2
  })
})

test('The database of a leader that was killed is not opened by commands before its server has been started again', async (t) => {
  const etcd = await startFakeEtcd(t)
  const leader = await startNode(t, etcd.url)
  await keyAt(leader)
  await leader.stop('SIGKILL')

  for (const args of [['check'], ['backup', join(temporaryDirectory(t), 'backup.db')]]) {
    const { code, stderr } = await run(bundle, [...args, '--data', leader.directory])
    assert.deepEqual([code, /start the server first/.test(stderr)], [1, true], stderr)
  }
})
