import type { IncomingMessage, ServerResponse } from 'node:http'
import { findWorkspaceId, listWorkspaceIds } from '../access/company.ts'
import { type App, type AppConfig, createApp } from '../app.ts'
import type { Config } from '../config.ts'
import { MemoryContents } from '../content/memory.ts'
import type { Route } from '../engine/api/call/route.ts'
import { hasWork } from '../features/imports/run-batch.ts'
import { loggedResources } from '../features/index.ts'
import { startWebhooksHere, type WebhooksHere } from '../features/webhooks/start-webhooks.ts'
import { attempt } from '../features/webhooks/transport/attempt.ts'
import type { Destinations } from '../features/webhooks/transport/destinations.ts'
import { isApiPath } from '../http/admit.ts'
import type { Health } from '../http/health.ts'
import { timestamp } from '../lib/clock.ts'
import { errorFields, log } from '../lib/log.ts'
import { oneAtATime } from '../lib/one-at-a-time.ts'
import type { Mailroom } from '../mail/mailroom.ts'
import { isMcpPath } from '../mcp/serve.ts'
import { noDurability } from '../store/durability.ts'
import { type Connection, openCopy } from '../store/open.ts'
import { Store } from '../store/store.ts'
import { startWorkHere } from '../threads/work.ts'
import { WorldClock } from './clock.ts'
import { withOwnExamples } from './examples.ts'
import { Faults } from './faults.ts'
import type { Image } from './image.ts'
import { Inbox, inboxUrl } from './inbox.ts'
import { Journal } from './journal.ts'
import { own } from './own.ts'
import { WorldRandomness } from './randomness.ts'

export const controlPath = '/api-v1-sandbox'
const pageBytes = 4_096

/** `changesKeepMs`: how long changes are kept; undefined: forever. */
export type SandboxConfig = AppConfig & Partial<Pick<Config, 'changesKeepMs' | 'dns'>>

/** What an instance needs besides its image. */
export interface Setting {
  config: SandboxConfig
  destinations: Destinations
  mail: Mailroom
  health: Health
  routes: readonly Route[]
  /** The world's key. */
  key: string
  /** The number of the world's resets. */
  resets: number
}

/** A world's database and application, from one reset to the next. */
export class Instance {
  readonly store: Store
  readonly clock: WorldClock
  readonly faults: Faults
  readonly inbox: Inbox
  readonly journal: Journal
  readonly app: App
  readonly webhooks: WebhooksHere
  readonly changesKeepMs: number | undefined
  /** Why nothing can be delivered to a URL; undefined: it can be tried. */
  readonly refusal: (url: string) => string | undefined
  readonly contents: MemoryContents
  readonly #image: Pick<Image, 'companyId' | 'keyId'>
  readonly #db: Connection
  readonly #randomness: WorldRandomness
  readonly #work: ReturnType<typeof startWorkHere>
  /** The requests in progress. */
  #active = 0
  #onIdle: (() => void) | undefined
  /** Runs one after the other what lets time pass. */
  readonly inTurn = oneAtATime()

  constructor(image: Image, { config, destinations, mail, health, routes, key, resets }: Setting) {
    this.#image = image
    this.changesKeepMs = config.changesKeepMs
    this.refusal = (url) => (url === inboxUrl ? undefined : destinations.refusal(url))
    this.#db = openCopy(image.bytes)
    own(this.#db, { keyId: image.keyId, key, logOrigin: `${image.random.seed} ${resets}` })
    this.clock = new WorldClock(image.clock)
    this.#randomness = new WorldRandomness(image.random, key)
    this.contents = new MemoryContents(image.contents)
    this.journal = new Journal(image.journal)
    this.inbox = new Inbox(image.inbox)
    this.faults = new Faults(
      image.faults,
      () => this.#randomness.chance(),
      (...noted) => this.journal.noteFault(...noted),
    )
    this.store = new Store({
      db: this.#db,
      clock: this.clock,
      durability: noDurability,
      randomness: this.#randomness,
    })
    this.app = createApp({
      config,
      store: this.store,
      destinations: { refusal: this.refusal },
      contents: this.contents,
      mail,
      routes,
      isUnlimited: isControl,
      layers: [this.faults.layer(isOrdinary)],
      firstLayers: [
        this.journal.layer(this.clock, isOrdinary),
        (_ctx, next) => this.#settle().then(next), // the same requests always get the same responses (decision I6)
      ],
      newRequestId: () => this.#randomness.newRequestId(this.clock.now()),
      exemplify: (document) =>
        withOwnExamples(document, this.store.workspace(findWorkspaceId(this.store.access, image.companyId, 'test'))),
      state: health,
    })
    this.#work = startWorkHere(this.store)
    for (const id of listWorkspaceIds(this.store.access)) if (hasWork(this.store.workspace(id))) this.#work.add(id)
    this.webhooks = startWebhooksHere(this.store, this.app.hub, {
      resources: loggedResources,
      random: () => this.#randomness.delay(),
      attempt: async (delivery, signal) =>
        delivery.url === inboxUrl
          ? this.inbox.capture(delivery, timestamp(this.clock.now()))
          : attempt(delivery, destinations, { signal }),
    })
  }

  handle(req: IncomingMessage, res: ServerResponse): void {
    this.#active++
    res.once('close', () => {
      this.#active--
      if (this.#active === 0) this.#onIdle?.()
    })
    this.app.handle(req, res)
  }

  get isActive(): boolean {
    return this.#active > 0
  }

  /** The size of the database. */
  get bytes(): number {
    return Number(this.#db.pragma('page_count', { simple: true })) * pageBytes
  }

  /** The id of the world's key. */
  get keyId(): string {
    return this.#image.keyId
  }

  /** The id of a key; undefined: there is none. */
  lookupKey(hash: string): string | undefined {
    return this.store.access.value('SELECT id FROM api_key WHERE hash = ?', hash)
  }

  /** The ids of the keys that others than the world itself have. */
  get otherKeys(): string[] {
    return this.store.access.values('SELECT id FROM api_key WHERE id <> ?', this.keyId)
  }

  /** Saves what it is now. */
  async save(): Promise<Image> {
    await this.#settle()
    return {
      ...{ companyId: this.#image.companyId, keyId: this.keyId },
      bytes: this.#db.serialize(),
      contents: this.contents.kept,
      clock: this.clock.state,
      random: this.#randomness.state,
      faults: this.faults.state,
      inbox: this.inbox.state,
      journal: this.journal.state,
    }
  }

  /** Resolves when what follows from the requests so far is there: also of imports, if no time passes that they could take. */
  async #settle(): Promise<void> {
    await this.app.usage.flush()
    if (this.clock.state.mode === 'frozen') await this.#work.idle()
    await this.#work.caughtUp()
    await this.webhooks.idle(({ url }) => url === inboxUrl) // not of others: their receivers may take long, or ask something
    this.inbox.settle()
  }

  /** Responds to requests that wait for something that may never happen. */
  endWaiting(): void {
    this.app.endWaiting()
    this.inbox.close()
  }

  /** Ends webhooks and imports at once, and everything when the requests in progress have ended. Never rejects. */
  async retire(): Promise<void> {
    this.endWaiting()
    try {
      await this.webhooks.stop()
      await this.#work.stop()
      if (this.#active > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve))
      await this.app.usage.end()
      await this.store.close()
    } catch (error) {
      log('a world could not be closed', errorFields(error), 'error')
    }
  }
}

function isControl(path: string): boolean {
  return path.startsWith(`${controlPath}/`)
}

/** Faults and the journal concern neither the control endpoints nor pages. */
function isOrdinary(path: string): boolean {
  return (isApiPath(path) && !isControl(path)) || isMcpPath(path)
}
