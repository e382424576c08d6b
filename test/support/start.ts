import type { TestContext } from 'node:test'
import type { Limits, Network } from '../../src/config.ts'
import type { Store } from '../../src/store/store.ts'
import { FakeClock } from './clock.ts'
import { type Company, newCompany } from './company.ts'
import { temporaryDirectory } from './directory.ts'
import { type ServeOptions, serve, type WorkPlace } from './serve.ts'

export interface Server {
  url: string
  clock: FakeClock
  store: Store
  /** The data directory. */
  directory: string
  company(name: string, plan?: string): Promise<Company>
  usage: { flush(): Promise<void> }
  /** The path of the first run's link. */
  setupPath: string | undefined
}

interface StartOptions extends Pick<ServeOptions, 'times' | 'durability' | 'webhooks'> {
  rateLimits?: 'plan' | 'off'
  limits?: Partial<Limits & Network>
  work?: WorkPlace
}

/** Starts the real server on a free port with a new data directory. It stops when the test ends. */
export async function start(t: TestContext, options: StartOptions = {}): Promise<Server> {
  const [directory, clock] = [temporaryDirectory(t), new FakeClock()]
  const { url, store, usage, setupPath } = await serve(t, { ...options, directory, clock })
  return { url, clock, store, directory, usage, setupPath, company: (name, plan) => newCompany(store, url, name, plan) }
}
