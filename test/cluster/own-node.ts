import '../support/cheap-passwords.ts'
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { createApp } from '../../src/app.ts'
import { ServerNode } from '../../src/cluster/index.ts'
import { join } from '../../src/cluster/join.ts'
import type { Member } from '../../src/cluster/member.ts'
import type { LogSizes } from '../../src/cluster/trimmer.ts'
import { schema } from '../../src/commands/open-store.ts'
import { limitSettings, networkSettings, readConfig } from '../../src/config.ts'
import type { Layer } from '../../src/http/exchange.ts'
import { listen } from '../../src/http/server.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openForServer } from '../../src/store/directory.ts'
import { walDurability } from '../../src/store/durability.ts'
import { newestOf } from '../../src/store/migrate.ts'
import { Store } from '../../src/store/store.ts'
import { ReadThreads } from '../../src/threads/read-threads.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { freePort } from '../support/free-port.ts'

/** A server of a log in this process. */
export interface OwnNode {
  url: string
  directory: string
  store: Store
  member: Member
  /** Stops it, which leaves the lead to others. A second call has no effect. */
  stop(): Promise<void>
}

/** Long: tests beside others may block the process for seconds. */
const leaseSeconds = 60

export interface OwnNodeOptions {
  directory?: string
  /** How large the log may get; default: as for every server. */
  sizes?: LogSizes
  /** Called when the node has joined the log. */
  prepare?: (node: Pick<OwnNode, 'store' | 'member'>) => void
  /** Layers before all others. */
  firstLayers?: readonly Layer[]
  /** Wraps what reads on other threads. */
  wrap?: (threads: Threads) => Threads
}

export type Threads = Pick<ReadThreads, 'run' | 'open'>

/** Starts a server of the log at `log`. It stops when the test ends. */
export async function startOwnNode(
  t: Pick<TestContext, 'after'>,
  log: string,
  {
    directory = temporaryDirectory(t),
    sizes,
    prepare,
    firstLayers = [],
    wrap = (threads) => threads,
  }: OwnNodeOptions = {},
): Promise<OwnNode> {
  const config = { ...readConfig([...limitSettings, ...networkSettings], {}, {}), port: await freePort() }
  const url = `http://127.0.0.1:${config.port}`
  const settings = { log, advertise: url, logLeaseSeconds: leaseSeconds }
  const joined = await join({ directory, settings, schemaVersion: newestOf(schema.steps), version: 'test' })
  const node = new ServerNode(joined, await joined.log.secret(), sizes)
  const { path, db, release } = openForServer(directory, schema, { release: joined.release })
  const store = new Store({ db, clock: systemClock, ...node.open(walDurability(path, () => {})) })
  const { member } = node
  prepare?.({ store, member })
  const positions = member.shown.cells
  const readThreads = new ReadThreads({ path, positions, limitMs: config.listMs })
  const app = createApp({
    config: { ...config, rateLimits: 'off' },
    ...{ store, firstLayers, readThreads: wrap(readThreads), ...node.appOptions(store) },
  })
  const listener = await listen(app, config)
  await node.start(async () => {})
  let stopped: Promise<void> | undefined
  const end = async () => {
    await listener.drain()
    await app.usage.end().catch(() => {})
    await readThreads.close()
    if (await member.stop()) await store.close()
    release()
  }
  const stop = () => {
    stopped ??= end()
    return stopped
  }
  t.after(stop)
  return { url, directory, store, member, stop }
}

/** Ends in reverse order what is started: servers before their etcd and their directories. */
export function inReverse(t: Pick<TestContext, 'after'>): Pick<TestContext, 'after'> {
  const ends: (() => unknown)[] = []
  t.after(async () => {
    for (const end of ends.reverse()) await end()
  })
  return { after: (end) => void ends.push(end as () => unknown) }
}

/** Begins a turn of the store before each entry, so that the entry is applied in the middle of the turn. */
export function openTurnsBeforeEntries({ store, member }: Pick<OwnNode, 'store' | 'member'>): void {
  const { log } = member.joined
  const read = log.read.bind(log)
  log.read = async (...asked) => {
    const state = await read(...asked)
    if (state.parts.length > 0) store.access.value('SELECT 1')
    return state
  }
}

/** Resolves when the next entry has been applied, in the same turn. */
export async function nextEntry(member: Member): Promise<void> {
  assert.ok(await member.reach(member.position + 1, 30_000), 'an entry is applied')
}
