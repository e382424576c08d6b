import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Environment } from '../../src/access/company.ts'
import { insertKey } from '../../src/access/key.ts'
import { createApp } from '../../src/app.ts'
import { schema } from '../../src/commands/open-store.ts'
import { foundCompany } from '../../src/crm/found-company.ts'
import { listen } from '../../src/http/server.ts'
import { openForServer } from '../../src/store/directory.ts'
import { walDurability } from '../../src/store/durability.ts'
import { Store } from '../../src/store/store.ts'
import { type Client, clientFor } from './client.ts'
import { userAdder } from './users.ts'

/** Stands still until it is told to go on. */
export class FakeClock {
  #now = Date.UTC(2026, 5, 15, 12)

  now(): number {
    return this.#now
  }

  advance(ms: number): void {
    this.#now += ms
  }
}

export interface KeyOptions {
  environment?: Environment
  scopes?: string[]
  userId?: string
  expiresAt?: string
}

/** A company with a key that may do everything, and the means to make it more. */
export interface Company {
  id: string
  /** Speaks with the first key, in the live workspace. */
  client: Client
  /** A client with a further key. */
  key(options?: KeyOptions): Promise<Client>
}

export interface Server {
  url: string
  clock: FakeClock
  store: Store
  /** The data directory. */
  directory: string
  company(name: string, plan?: string): Promise<Company>
  usage: { flush(): Promise<void> }
}

interface StartOptions {
  rateLimits?: 'plan' | 'off'
  bodyBytesMax?: number
}

/** The real server on a free port, on a fresh data directory; ends with the test. */
export async function start(t: TestContext, options: StartOptions = {}): Promise<Server> {
  const directory = mkdtempSync(join(tmpdir(), 'kontor-test-'))
  const { path, db, release } = openForServer(directory, schema)
  const clock = new FakeClock()
  const store = new Store({ db, clock, durability: walDurability(path) })
  const app = createApp({ config: { rateLimits: 'off', bodyBytesMax: 2 ** 20, ...options }, store })
  const listener = await listen(app, '127.0.0.1', 0)
  t.after(async () => {
    await listener.drain()
    await app.usage.flush()
    await store.close()
    release()
    rmSync(directory, { recursive: true })
  })
  return {
    url: listener.url,
    clock,
    store,
    directory,
    usage: app.usage,
    async company(name, plan = 'enterprise') {
      const { id } = await store.writeAccess((tx) => foundCompany(tx, { name, plan }))
      const key = async ({ environment = 'live', scopes = ['admin:all'], ...rest }: KeyOptions = {}) => {
        const made = await store.writeAccess((tx) =>
          insertKey(tx, { companyId: id, name: 'Test', environment, scopes, ...rest }),
        )
        return clientFor(listener.url, made, userAdder(store, id))
      }
      return { id, key, client: await key() }
    },
  }
}
