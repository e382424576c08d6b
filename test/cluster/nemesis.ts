import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Disk, faultyDisk } from '../store/faulty-disk.ts'
import { Ledger } from '../store/ledger.ts'
import { attempt } from '../store/log-watch.ts'
import type { ApiResponse, Client } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { ConnectionError } from '../support/exchange.ts'
import { lasting } from '../support/fault-times.ts'
import { declareUnique } from '../support/fields.ts'
import { freePort } from '../support/free-port.ts'
import { type Random, randomOf } from '../support/random.ts'
import { until } from '../support/wait.ts'
import { at, keyAt, leaderOf, leaseSeconds, type Node, startNode } from './cluster.ts'
import { type Link, openLink } from './link.ts'
import { type EtcdMember, startEtcd } from './real-etcd.ts'
import { routedClient } from './routed-client.ts'

const writers = 8
const writesPerRound = 60
/** How long a fault lasts, in milliseconds: longer than the lease. */
const faultMs = (leaseSeconds + 1) * 1_000

interface Server {
  node: Node
  directory: string
  port: number
  /** Its connections to the members of etcd, in their order. */
  links: Link[]
  disk: Disk
  env: NodeJS.ProcessEnv
}

export const faults = [
  'the leader is killed',
  'the leader is paused',
  'the leader is cut off from etcd',
  'the leader reaches one member of etcd only',
  'a follower is killed',
  'a member of etcd is killed',
  'the leader of etcd is paused',
  'the leader of etcd is cut off from the other members',
  'both leaders are killed',
  'etcd loses its majority',
  'the disk of the leader is full',
  'the disk of a follower is full',
  'all servers are killed',
] as const
type Fault = (typeof faults)[number]

/** Three servers, of which the first has a slow disk, and three members of etcd, with connections between them that can be cut. */
export class Nemesis {
  readonly ledger = new Ledger()
  readonly #t: Pick<TestContext, 'after'>
  readonly #random: Random
  readonly #etcd: EtcdMember[]
  #servers: Server[] = []
  #key: Client | undefined
  #recovering: Promise<void> | undefined

  private constructor(t: Pick<TestContext, 'after'>, random: Random, etcd: EtcdMember[]) {
    this.#t = t
    this.#random = random
    this.#etcd = etcd
  }

  static async start(t: Pick<TestContext, 'after'>, seed: number): Promise<Nemesis> {
    const nemesis = new Nemesis(t, randomOf(seed), await startEtcd(t, 3))
    for (let count = 0; count < 3; count++) await nemesis.#addServer()
    return nemesis
  }

  /** Writes to the leader, does the fault, heals it, and checks that everything acknowledged is there once, at every server. */
  async round(fault: Fault): Promise<void> {
    const server = await this.#leader()
    const stopping = { isStopped: false }
    const client = untilGone(at(server.node, this.#key!), stopping)
    const seed = this.#random.below(1e9)
    const enough = this.ledger.acknowledged + writesPerRound
    const working = Promise.all([
      ...Array.from({ length: writers }, (_, writer) => this.ledger.write(client, randomOf(seed + writer))),
      this.ledger.follow(client),
    ])
    await until(`${enough} writes are acknowledged`, () => this.ledger.acknowledged, {
      is: (count) => count >= enough,
      during: working,
    })
    await this.#strike(fault, server)
    await lasting(faultMs)
    stopping.isStopped = true
    await this.#heal()
    await working
    await this.#verify()
  }

  async #strike(fault: Fault, leader: Server): Promise<void> {
    const follower = this.#servers.find((server) => server !== leader)!
    const leading = await Promise.all(this.#etcd.map((member) => member.leads()))
    const etcdLeader = this.#etcd[Math.max(0, leading.indexOf(true))]!
    const strikes: Record<Fault, () => void> = {
      'the leader is killed': () => leader.node.child.kill('SIGKILL'),
      'the leader is paused': () => leader.node.child.kill('SIGSTOP'),
      'the leader is cut off from etcd': () => cutAll(leader.links),
      'the leader reaches one member of etcd only': () => cutAll(leader.links.slice(1)),
      'a follower is killed': () => follower.node.child.kill('SIGKILL'),
      'a member of etcd is killed': () => this.#random.pick(this.#etcd).kill(),
      'the leader of etcd is paused': () => etcdLeader.pause(),
      'the leader of etcd is cut off from the other members': () => etcdLeader.peers.cut(),
      'both leaders are killed': () => {
        etcdLeader.kill()
        leader.node.child.kill('SIGKILL')
      },
      'etcd loses its majority': () => {
        for (const member of this.#etcd.slice(1)) member.pause()
      },
      'the disk of the leader is full': () => leader.disk.fail('write', 'log', 'ENOSPC'),
      'the disk of a follower is full': () => follower.disk.fail('write', 'log', 'ENOSPC'),
      'all servers are killed': () => {
        for (const { node } of this.#servers) node.child.kill('SIGKILL')
      },
    }
    strikes[fault]()
  }

  async #heal(): Promise<void> {
    for (const member of this.#etcd) {
      member.heal()
      member.peers.heal()
    }
    for (const server of this.#servers) {
      for (const link of server.links) link.heal()
      server.disk.heal()
      server.node.child.kill('SIGCONT')
    }
    await this.#recover()
  }

  /** Waits until every server is ready. One that was replaced ends: it is started again, as a supervisor would. */
  async #recover(): Promise<void> {
    await until('every server is ready', async () => {
      for (const server of this.#servers) await this.#restart(server)
      const ready = this.#servers.map(({ node }) => fetch(`${node.url}/readyz`).catch(() => undefined))
      return (await Promise.all(ready)).every((response) => response?.status === 200)
    })
  }

  async #restart(server: Server): Promise<void> {
    const { exitCode, signalCode } = server.node.child
    if (exitCode === null && signalCode === null) return
    server.node = await startNode(this.#t, logOf(server.links), { ...server, wait: false })
  }

  async #verify(): Promise<void> {
    const client = this.#patient(() => this.#leader())
    await this.ledger.verify(client)
    const { headers } = await client.get('/api-v1-organizations?limit=1')
    const position = headers.get('kontor-position')!
    for (const server of this.#servers) {
      const there = this.#patient(() => server)
      const read = await there.get('/api-v1-changes?after=now', { 'Kontor-Min-Position': position })
      assert.equal(read.status, 200, JSON.stringify(read.body))
    }
  }

  /** Checks every record and the whole log, at the server that leads. */
  async verifyAll(): Promise<void> {
    await this.ledger.verify(
      this.#patient(() => this.#leader()),
      { all: true },
    )
  }

  /** A client that repeats what is not answered at present: on a busy machine, a lease may end without a fault. */
  #patient(find: () => Server | Promise<Server>): Client {
    let server: Server | undefined
    return routedClient(this.#key!, async (call) => {
      let response: ApiResponse | undefined
      await until('a server answers', async () => {
        server ??= await find()
        response = await attempt(call(at(server.node, this.#key!)))
        if (response && response.status !== 503) return true
        this.#recovering ??= this.#recover().finally(() => {
          this.#recovering = undefined
        })
        await this.#recovering
        server = undefined
        return false
      })
      return response!
    })
  }

  async #leader(): Promise<Server> {
    const found = await leaderOf(this.#servers.map(({ node }) => node))
    return this.#servers.find(({ node }) => node.url === found.url)!
  }

  async #addServer(): Promise<void> {
    const links = await Promise.all(this.#etcd.map(({ port }) => openLink(this.#t, port)))
    const port = await freePort()
    const work = temporaryDirectory(this.#t)
    const directory = join(work, 'data')
    const disk = faultyDisk(work, directory)
    const env = this.#servers.length === 0 ? slowSync(work, disk.env) : disk.env
    const node = await startNode(this.#t, logOf(links), { port, directory, env })
    this.#servers.push({ node, directory, port, links, disk, env })
    if (this.#key) return
    await leaderOf([node])
    this.#key = await keyAt(node)
    await declareUnique(this.#key)
  }
}

function logOf(links: readonly Link[]): string {
  return `etcd://${links.map(({ port }) => `127.0.0.1:${port}`).join(',')}/kontor`
}

const slowSyncMs = 20

/** Makes each sync of a server's disk take longer. */
function slowSync(work: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const library = join(work, 'slow-sync.so')
  const source = new URL('../bench/slow-sync.c', import.meta.url).pathname
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'])
  return { ...env, LD_PRELOAD: `${env.LD_PRELOAD}:${library}`, SLOW_SYNC_US: String(slowSyncMs * 1_000) }
}

function cutAll(links: readonly Link[]): void {
  for (const link of links) link.cut()
}

/** A client for which a server that answers 503, or that the test has stopped using, is gone. */
function untilGone(client: Client, stopping: { isStopped: boolean }): Client {
  return routedClient(client, async (call) => {
    if (stopping.isStopped) throw new ConnectionError('stopped')
    const response = await call(client)
    if (response.status === 503) throw new ConnectionError('not available')
    return response
  })
}

/** A seed for a run: given, or new. */
export function seedOf(given: string | undefined): number {
  const seed = given === undefined ? Math.floor(Math.random() * 1e9) : Number(given)
  assert.ok(Number.isInteger(seed))
  return seed
}
