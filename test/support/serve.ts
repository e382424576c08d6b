import type { TestContext } from 'node:test'
import { createApp } from '../../src/app.ts'
import { schema } from '../../src/commands/open-store.ts'
import { listen } from '../../src/http/server.ts'
import { ListThread } from '../../src/jobs/lists-apart.ts'
import { openForServer } from '../../src/store/directory.ts'
import { type Durability, walDurability } from '../../src/store/durability.ts'
import type { Connection } from '../../src/store/open.ts'
import { Store } from '../../src/store/store.ts'
import type { Client } from './client.ts'
import { FakeClock } from './clock.ts'
import { newCompany } from './company.ts'
import { temporaryDirectory } from './directory.ts'

/** A server whose parts a test chooses, or that it stops itself. */
export interface Served {
  url: string
  store: Store
  /** Of the database file. */
  path: string
  usage: { flush(): Promise<void> }
  /** A new company on the enterprise plan; the client's key may do everything. */
  client(plan?: string): Promise<Client>
  drain(): Promise<void>
  /** As SIGTERM does: drains, writes the usage, closes; again does nothing. */
  stop(): Promise<void>
}

interface ServeOptions {
  directory?: string
  clock?: FakeClock
  rateLimits?: 'plan' | 'off'
  bodyBytesMax?: number
  durability?: Durability
  busyMsMax?: number
  /** Sees the connection before the store does. */
  prepare?: (db: Connection) => void
}

/** The real server on a free port; ends with the test at the latest. */
export async function serve(t: TestContext, options: ServeOptions = {}): Promise<Served> {
  const {
    directory = temporaryDirectory(t),
    clock = new FakeClock(),
    rateLimits = 'off',
    bodyBytesMax = 2 ** 20,
  } = options
  const { path, db, release } = openForServer(directory, schema)
  options.prepare?.(db)
  const { durability = walDurability(path, () => {}), busyMsMax } = options
  const store = new Store({ db, clock, durability, ...(busyMsMax !== undefined && { busyMsMax }) })
  const listsApart = new ListThread({ path })
  const app = createApp({ config: { rateLimits, bodyBytesMax }, store, listsApart })
  const listener = await listen(app, '127.0.0.1', 0)
  let stopped: Promise<void> | undefined
  const end = async () => {
    await listener.drain()
    await app.usage.flush()
    await listsApart.close()
    await store.close()
    release()
  }
  const stop = () => {
    stopped ??= end()
    return stopped
  }
  t.after(stop)
  const client = async (plan?: string) => (await newCompany(store, listener.url, 'Acme', plan)).client
  return { url: listener.url, store, path, usage: app.usage, client, drain: listener.drain, stop }
}
