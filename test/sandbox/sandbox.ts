import '../support/cheap-passwords.ts'
import type { TestContext } from 'node:test'
import { madeImages } from '../../src/commands/sandbox-images.ts'
import { limitSettings, networkSettings, readConfig } from '../../src/config.ts'
import { Destinations } from '../../src/features/webhooks/transport/destinations.ts'
import { listen } from '../../src/http/server.ts'
import { startImages } from '../../src/sandbox/start-images.ts'
import { Worlds } from '../../src/sandbox/worlds/worlds.ts'
import type { Store } from '../../src/store/store.ts'
import { type Client, clientFor } from '../support/client.ts'
import type { JsonRecord } from '../support/make.ts'

export const control = '/api-v1-sandbox'
export const sandboxKey = `svc_test_${'Kontor01'.repeat(4)}`

const images = startImages(madeImages)
const limits = { connectionsPerAddressMax: '2000', requestsPerClientMax: '1000' }

export interface Sandbox {
  url: string
  client: Client
  /** The database until the next reset. */
  store: Store
}

/** Starts a sandbox on a free port. It stops when the test ends. */
export async function openSandbox(
  t: Pick<TestContext, 'after'>,
  seed: 'empty' | 'demo' = 'empty',
  env: NodeJS.ProcessEnv = {},
): Promise<Sandbox> {
  const config = { ...readConfig([...limitSettings, ...networkSettings, 'changesKeepMs'], {}, env, limits), port: 0 }
  const destinations = new Destinations([], { loopback: true })
  const start = await images[seed]()
  const worlds = new Worlds({ config: { ...config, rateLimits: 'off' }, destinations, images, key: sandboxKey, start })
  const listener = await listen(worlds, config)
  t.after(async () => {
    await listener.drain()
    await worlds.close()
    await destinations.close()
  })
  const { store } = worlds.main.instance
  return { url: listener.url, store, client: clientFor(listener.url, { id: '', key: sandboxKey }) }
}

/** Makes a fork and returns its client. */
export async function forkOf(
  { url, client }: Pick<Sandbox, 'url' | 'client'>,
  body: object = {},
): Promise<Client & { fork: JsonRecord }> {
  const { status, body: response } = await client.post(`${control}/forks`, body)
  if (status !== 201) throw new Error(JSON.stringify(response))
  return { ...clientFor(url, { id: '', key: response.data.key }), fork: response.data }
}

/** Freezes the clock, so that responses are always the same. */
export async function freeze(client: Client, now = '2026-02-02T09:00:00.000Z'): Promise<void> {
  await client.put(`${control}/clock`, { now, mode: 'frozen' })
}
