import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBearer } from '../../access/credentials.ts'
import { generateKey, hashKey, keyPattern } from '../../access/key.ts'
import type { AppConfig } from '../../app.ts'
import { apiKey } from '../../crm/api-key.ts'
import type { Call, Route } from '../../engine/api/call/route.ts'
import type { Describer } from '../../engine/records/describe.ts'
import { ApiError } from '../../errors.ts'
import { routes } from '../../features/index.ts'
import type { Destinations } from '../../features/webhooks/transport/destinations.ts'
import type { Served } from '../../http/server.ts'
import { parseUuid } from '../../lib/uuid.ts'
import type { Image } from '../image.ts'
import type { SandboxConfig } from '../instance.ts'
import { openSandboxMail } from '../mail.ts'
import { newRandomState, WorldRandomness } from '../randomness.ts'
import type { Forking, ForkOptions } from '../routes/forks.ts'
import { controlRoutes } from '../routes/index.ts'
import { Snapshots } from '../snapshots.ts'
import type { StartImages } from '../start-images.ts'
import { World } from '../world.ts'

const forksMax = 200
/** Of the databases of all worlds. */
const bytesMax = 2 ** 30
const checkMs = 1_000
const rememberedMax = 10_000

interface WorldsOptions {
  config: SandboxConfig
  destinations: Destinations
  images: StartImages
  /** The key of the first world. */
  key: string
  start: Image
}

interface Made {
  key: string
  start: Image
  idleMsMax: number
  rateLimits?: AppConfig['rateLimits']
}

/** The worlds of a sandbox. The key of a request selects one; without a key of a fork, it is the first one. */
export class Worlds implements Served, Forking {
  readonly main: World
  readonly health = { draining: false }
  readonly observe = undefined
  readonly #options: WorldsOptions
  readonly #forks = new Map<string, { world: World; parent: World }>()
  readonly #space = { bytes: 0 }
  readonly #mail: ReturnType<typeof openSandboxMail>
  /** The worlds where keys were found, by `Authorization` header. A reset may have removed them there. */
  readonly #known = new Map<string, World>()
  readonly #timer: NodeJS.Timeout
  #made = 0

  constructor(options: WorldsOptions) {
    this.#options = options
    this.#mail = openSandboxMail(options.config)
    this.main = this.#make('main', { key: options.key, start: options.start, idleMsMax: Number.POSITIVE_INFINITY })
    this.#timer = setInterval(() => this.#removeUnused(), checkMs).unref()
  }

  readonly handle = (req: IncomingMessage, res: ServerResponse): void => {
    this.#select(req.headers.authorization).handle(req, res)
  }

  /** For requests that reach no world, because they are not valid HTTP. */
  get limiter(): Served['limiter'] {
    return this.main.instance.app.limiter
  }

  endWaiting(): void {
    for (const world of this.#all()) world.endWaiting()
  }

  /** Throws CONFLICT if there are too many. */
  fork(parent: World, { image, seed, idleMsMax, rateLimits }: ForkOptions): World {
    if (this.#forks.size >= forksMax) {
      throw new ApiError('CONFLICT', `There are ${forksMax} forks: delete one, or wait until one has expired`)
    }
    const bytes = this.#all().reduce((sum, each) => sum + each.instance.bytes, image.bytes.length)
    if (bytes > bytesMax) throw new ApiError('CONFLICT', 'The worlds take too much memory: delete a fork first')
    const id = `fork-${++this.#made}`
    const key = forkKey(this.main.key, id)
    const world = this.#make(id, { key, start: forFork(image, seed ?? id), idleMsMax, rateLimits })
    this.#forks.set(id, { world, parent })
    return world
  }

  /** Removes a fork for itself, the world it was made from, or the first world. Throws NOT_FOUND. */
  remove(by: World, id: string): void {
    const fork = this.#forks.get(id)
    if (!fork || ![fork.world, fork.parent, this.main].includes(by)) throw new ApiError('NOT_FOUND', 'Fork not found')
    this.#forks.delete(id)
    for (const [header, world] of this.#known) if (world === fork.world) this.#known.delete(header)
    fork.world.close()
  }

  /** Resolves when all databases are closed. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#all().map((world) => world.close()))
    await this.#mail.close()
  }

  #all(): World[] {
    return [this.main, ...[...this.#forks.values()].map(({ world }) => world)]
  }

  #make(id: string, { rateLimits = 'off', start, ...given }: Made): World {
    const { config, destinations, images } = this.#options
    return new World(start, {
      ...{ id, destinations, images, mail: this.#mail.room, health: this.health, ...given },
      config: { ...config, rateLimits },
      snapshots: new Snapshots(this.#space),
      routesOf: (world) => [...keepingKey(routes, () => world.instance.keyId), ...controlRoutes(world, this)],
    })
  }

  #select(authorization: string | undefined): World {
    if (authorization === undefined || this.#forks.size === 0) return this.main
    const key = readBearer(authorization)
    if (key === undefined || !keyPattern.test(key)) return this.main
    const keyHash = hashKey(key)
    const likely = [this.main, this.#known.get(authorization) ?? this.main]
    const found = [...likely, ...this.#all()].find((world) => world.owns(keyHash))
    if (!found) return this.main
    if (this.#known.size >= rememberedMax) this.#known.clear()
    this.#known.set(authorization, found)
    return found
  }

  #removeUnused(): void {
    for (const [id, { world }] of this.#forks) if (world.isUnused) this.remove(world, id)
  }
}

/** The same key for the same fork of the same sandbox (decision I6). Only who has the sandbox's own key can foresee it. */
function forkKey(mainKey: string, id: string): string {
  const source = new WorldRandomness(newRandomState(id), mainKey)
  return generateKey('test', { randomBytes: (size) => source.bytes(size) })
}

/** Its ids continue after those of the image. Everything else begins anew, so it does not depend on what the other world was asked. */
function forFork(image: Image, seed: string): Image {
  const { used, lastId } = image.random
  const random = { ...newRandomState(seed), lastId }
  random.used.ids = used.ids
  return { ...image, random, inbox: [], journal: [] }
}

const keyPath = `/${apiKey.path}/:id`
/** What decides whether a key is valid, and for what. */
const deciding = ['is_active', 'expires_at', 'scopes']

/** Keeps the key that controls a world valid (decision I1): without it, not even a reset would be possible. */
function keepingKey(routes: readonly Route[], ownKeyId: () => string): Route[] {
  return routes.map((route) => {
    const isRevoke = route.method === 'POST' && route.path === `${keyPath}/revoke`
    if (!isRevoke && !(route.method === 'PATCH' && route.path === keyPath)) return route
    return {
      ...route,
      run: (call: Call) => {
        const isLost = isRevoke || deciding.some((name) => name in call.body)
        if (isLost && parseUuid(call.params.id!) === ownKeyId()) throw refusal()
        return route.run(call)
      },
      describe: (doc: Describer) => {
        const description = route.describe(doc)
        return { ...description, errors: { CONFLICT: 'The key controls the sandbox.', ...description.errors } }
      },
    }
  })
}

function refusal(): ApiError {
  return new ApiError('CONFLICT', 'This key controls the sandbox, so it stays as it is: create another key for this')
}
