import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { insertKey } from '../../src/access/key.ts'
import { createApp } from '../../src/app.ts'
import { schema } from '../../src/commands/open-store.ts'
import { foundCompany } from '../../src/crm/found-company.ts'
import { listen } from '../../src/http/server.ts'
import { openForServer } from '../../src/store/directory.ts'
import { type Durability, walDurability } from '../../src/store/durability.ts'
import type { Connection } from '../../src/store/open.ts'
import { Store } from '../../src/store/store.ts'
import { type Client, clientFor } from './client.ts'
import { FakeClock } from './start.ts'
import { userAdder } from './users.ts'

/** A server whose parts a test chooses, or that it stops itself. */
export interface Served {
  url: string
  store: Store
  /** Of the database file. */
  path: string
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
  durability?: Durability
  busyMsMax?: number
  /** Sees the connection before the store does. */
  prepare?: (db: Connection) => void
}

/** An empty directory that is removed when the test ends. */
export function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'kontor-test-'))
  t.after(() => rmSync(directory, { recursive: true }))
  return directory
}

/** The real server on a free port; ends with the test at the latest. */
export async function serve(t: TestContext, options: ServeOptions = {}): Promise<Served> {
  const { directory = temporaryDirectory(t), clock = new FakeClock(), rateLimits = 'off' } = options
  const { path, db, release } = openForServer(directory, schema)
  options.prepare?.(db)
  const { durability = walDurability(path), busyMsMax } = options
  const store = new Store({ db, clock, durability, ...(busyMsMax !== undefined && { busyMsMax }) })
  const app = createApp({ config: { rateLimits, bodyBytesMax: 2 ** 20 }, store })
  const listener = await listen(app, '127.0.0.1', 0)
  let stopped: Promise<void> | undefined
  const end = async () => {
    await listener.drain()
    await app.usage.flush()
    await store.close()
    release()
  }
  const stop = () => {
    stopped ??= end()
    return stopped
  }
  t.after(stop)
  const client = (plan?: string) => newClient(store, listener.url, plan)
  return { url: listener.url, store, path, client, drain: listener.drain, stop }
}

async function newClient(store: Store, url: string, plan = 'enterprise'): Promise<Client> {
  const { companyId, key } = await store.writeAccess((tx) => {
    const { id: companyId } = foundCompany(tx, { name: 'Acme', plan })
    return {
      companyId,
      key: insertKey(tx, { companyId, name: 'Test', environment: 'live', scopes: ['admin:all'] }),
    }
  })
  return clientFor(url, key, userAdder(store, companyId))
}
