import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { type Client, clientFor } from '../support/client.ts'
import { lasting } from '../support/fault-times.ts'
import { freePort } from '../support/free-port.ts'
import { type Random, randomOf, rounds } from '../support/random.ts'
import { until } from '../support/wait.ts'
import { at, keyAt, leaderOf, type Node, startNode } from './cluster.ts'
import { type FakeEtcd, type Fault, startFakeEtcd } from './fake-etcd.ts'

const path = '/api-v1-organizations'
const faults: readonly Fault[] = [
  'dropped before',
  'dropped after',
  'timed out before',
  'timed out after',
  { delayedMs: 100 },
]

/** Servers of a log that are killed, paused, stopped and started again while a client writes. */
class History {
  readonly nodes: (Node | undefined)[] = []
  /** The names of acknowledged records, by id. */
  readonly acknowledged = new Map<string, string>()
  readonly #t: TestContext
  readonly #etcd: FakeEtcd
  readonly #random: Random
  readonly #places: { directory: string; port: number }[] = []
  #client: Client | undefined
  #writes = 0
  #stopped = false

  constructor(t: TestContext, etcd: FakeEtcd, random: Random) {
    this.#t = t
    this.#etcd = etcd
    this.#random = random
  }

  async start(count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      const node = await startNode(this.#t, this.#etcd.url, { port: await freePort() })
      this.#places.push({ directory: node.directory, port: Number(new URL(node.url).port) })
      this.nodes.push(node)
      if (index > 0) continue
      await leaderOf([node])
      this.#client = await keyAt(node)
    }
  }

  get running(): Node[] {
    return this.nodes.filter((node) => node !== undefined)
  }

  get client(): Client {
    return this.#client!
  }

  /** Writes to whoever leads until the end. */
  async write(): Promise<void> {
    while (!this.#stopped) {
      await until('a write is acknowledged', () => this.#stopped || this.#writeOnce(), { limitMs: 120_000 })
    }
  }

  async #writeOnce(): Promise<boolean> {
    const node = this.#random.pick(this.running)
    const name = `Record ${++this.#writes}`
    if (node && this.#random.below(20) === 0) await this.#import(node, name)
    return node !== undefined && this.#attempt(node, name)
  }

  end(): void {
    this.#stopped = true
  }

  /** What happens next. */
  async disturb(): Promise<void> {
    const index = this.#random.below(this.nodes.length)
    const node = this.nodes[index]
    const draw = this.#random.below(4)
    if (node && draw === 0) await this.#stop(index, 'SIGKILL')
    else if (node && draw === 1) await this.#stop(index, 'SIGTERM')
    else if (node && draw === 2) {
      node.child.kill('SIGSTOP')
      await lasting(3_000)
      node.child.kill('SIGCONT')
    }
    await lasting(500)
    await this.restart()
  }

  /** Starts the servers again that have ended. */
  async restart(): Promise<void> {
    for (const [index, place] of this.#places.entries()) {
      const { child } = this.nodes[index] ?? {}
      if (child && child.exitCode === null && child.signalCode === null) continue
      this.nodes[index] = await startNode(this.#t, this.#etcd.url, { ...place, wait: false })
    }
  }

  async #stop(index: number, signal: NodeJS.Signals): Promise<void> {
    const node = this.nodes[index]!
    this.nodes[index] = undefined
    await node.stop(signal)
  }

  /** Submits an import, which may or may not be accepted. */
  async #import(node: Node, name: string): Promise<void> {
    const records = Array.from({ length: 50 }, (_, n) => ({ first_name: `${name} ${n}` }))
    await fetch(`${node.url}/api-v1-bulk/contacts`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.client.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ records }),
      signal: AbortSignal.timeout(8_000),
    }).then(
      (response) => response.body?.cancel(),
      () => {},
    )
  }

  async #attempt(node: Node, name: string): Promise<boolean> {
    try {
      const response = await fetch(`${node.url}${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${this.client.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name, metadata: { text: 'x'.repeat(this.#random.below(40_000)) } }),
        signal: AbortSignal.timeout(8_000),
      })
      const { data } = (await response.json()) as { data?: { id: string } }
      if (response.status !== 201) return false
      this.acknowledged.set(data!.id, name)
      return true
    } catch {
      return false
    }
  }
}

/** The tables whose rows are not the same at each server. The usage of keys is written until some seconds after the last request. */
function differencesOf(nodes: readonly Node[]): string[] {
  const [first, ...others] = nodes.map(({ directory }) => tablesOf(directory)) as [Hashes, ...Hashes[]]
  const differs = (table: string) => others.some((other) => other[table] !== first[table])
  return [...new Set([first, ...others].flatMap(Object.keys))].filter(differs)
}

/** The hash of each table, by name. */
type Hashes = Record<string, string>

function tablesOf(directory: string): Hashes {
  const db = new Database(join(directory, 'kontor.db'), { readonly: true })
  db.exec('BEGIN')
  const names = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
  const hashes = (names.pluck().all() as string[]).map((name) => {
    const hash = createHash('sha256')
    for (const row of db.prepare(`SELECT * FROM "${name}"`).raw().iterate()) hash.update(JSON.stringify(row))
    return [name, hash.digest('hex')]
  })
  db.close()
  return Object.fromEntries(hashes)
}

function assertSound({ directory }: Node): void {
  const db = new Database(join(directory, 'kontor.db'))
  assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
  db.close()
}

for (let seed = 1; seed <= rounds; seed++) {
  test(`Whatever happens to servers and their log, every acknowledged write is kept once, and all have the same tables (seed ${seed})`, async (t) => {
    const etcd = await startFakeEtcd(t)
    const random = randomOf(seed)
    const history = new History(t, etcd, random)
    await history.start(3)
    etcd.fault = () => (random.below(20) === 0 ? random.pick(faults) : undefined)
    const writers = Array.from({ length: 4 }, () => history.write())

    for (let step = 0; step < 8 || history.acknowledged.size < 100; step++) await history.disturb()

    etcd.fault = () => undefined
    history.end()
    await Promise.all(writers)
    await history.restart()
    const leader = await leaderOf(history.running)
    const { status, headers } = await at(leader, history.client).post(path, { name: 'Last' })
    assert.equal(status, 201)
    const last = { 'Kontor-Min-Position': headers.get('kontor-position')! }
    for (const { url } of history.running) {
      const there = clientFor(url, { id: history.client.keyId, key: history.client.key })
      const read = async () => {
        await history.restart() // one that has lost its lease ends some time later
        return (await there.get(`${path}?limit=1`, last).catch(() => undefined))?.status
      }
      await until(`${url} has everything`, read, { is: (status) => status === 200 })
      for (const [id, name] of history.acknowledged) {
        const { status, body } = await there.get(`${path}/${id}`)
        assert.deepEqual([status, body.data?.name], [200, name])
      }
    }
    await until('all servers have the same tables', () => differencesOf(history.running), {
      is: (tables) => tables.length === 0,
    })
    await Promise.all(history.running.map((node) => node.stop('SIGKILL')))
    for (const node of history.running) assertSound(node)
    t.diagnostic(`${history.acknowledged.size} writes acknowledged`)
  })
}
