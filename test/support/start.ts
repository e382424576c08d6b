import './built-threads.ts'
import './cheap-passwords.ts'
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createApp } from '../../src/app.ts'
import { schema } from '../../src/commands/open-store.ts'
import { type Limits, limitSettings, type Network, networkSettings, readConfig } from '../../src/config.ts'
import { openFirstSetup } from '../../src/console/setup.ts'
import type { Contents } from '../../src/content/contents.ts'
import { contentsBeside } from '../../src/content/open.ts'
import { searchedOf } from '../../src/engine/finding/list/search.ts'
import { removeErasedOf } from '../../src/features/files/sweep.ts'
import { loggedResources, resources } from '../../src/features/index.ts'
import { followSources, type Pauses } from '../../src/features/mail/imap/follow-sources.ts'
import { openMail } from '../../src/features/mail/open-mail.ts'
import { startWebhooks, startWebhooksHere } from '../../src/features/webhooks/start-webhooks.ts'
import { attempt } from '../../src/features/webhooks/transport/attempt.ts'
import { Destinations } from '../../src/features/webhooks/transport/destinations.ts'
import { type StreamTimes, streamTimes } from '../../src/http/event-stream.ts'
import type { Observed } from '../../src/http/observe.ts'
import { listen } from '../../src/http/server.ts'
import { LongRequests } from '../../src/long-requests/threads.ts'
import { databasePath, openForServer } from '../../src/store/directory.ts'
import { type Durability, newLogState, type WalDurability, walDurability } from '../../src/store/durability.ts'
import type { Connection } from '../../src/store/open.ts'
import type { Schema } from '../../src/store/shape.ts'
import type { SlowStatements } from '../../src/store/slow.ts'
import { Store } from '../../src/store/store.ts'
import { ReadThreads } from '../../src/threads/read-threads.ts'
import { startWork, startWorkHere, type Work } from '../../src/threads/work.ts'
import type { Client } from './client.ts'
import { FakeClock } from './clock.ts'
import { type Company, newCompany } from './company.ts'
import { temporaryDirectory } from './directory.ts'
import { placeDatabase, renewSecrets } from './new-database.ts'
import { keepLine } from './server-log.ts'

export interface Server {
  url: string
  clock: FakeClock
  store: Store
  /** The data directory. */
  directory: string
  /** The path of the database file. */
  path: string
  /** Creates a company, by default on the enterprise plan, with a key that has all scopes. */
  company(name: string, plan?: string): Promise<Company>
  usage: { flush(): Promise<void> }
  /** The path of the first run's link. */
  setupPath: string | undefined
  /** Creates a company. Returns the client of its key. */
  client(plan?: string): Promise<Client>
  drain(): Promise<void>
  /** Stops like SIGTERM: drains, writes the usage counts, closes. A second call has no effect. */
  stop(): Promise<void>
}

export type WorkPlace = 'here' | 'thread' | 'nowhere'

export interface StartOptions {
  /** Default: a new one. */
  directory?: string
  /** Default: the schema of this version. */
  schema?: Schema
  clock?: FakeClock
  rateLimits?: 'plan' | 'off'
  /** Default: the documented defaults. */
  limits?: Partial<Limits & Network>
  /** Where imports run; default: in the event loop, as in a sandbox. */
  work?: WorkPlace
  durability?: Durability
  busyMsMax?: number
  /** Where webhooks are sent from, to receivers on this machine; default: nowhere. */
  webhooks?: WorkPlace
  /** Where mailboxes may be, on this machine; default: none is read. */
  mailboxes?: { host: string }[]
  /** How long a mailbox waits after failures; default: as in production. */
  mailboxPauses?: Pauses
  /** How many mailboxes are read; default: as in production. */
  mailboxesMax?: number
  /** How long a snapshot may take. */
  snapshotMsMax?: number
  slow?: SlowStatements
  /** The times of event streams; default: the real ones. */
  times?: Partial<StreamTimes>
  /** Where the content of files is; default: beside the database. */
  contents?: Contents
  /** Where long requests are served; default: by threads, as in production. */
  longRequests?: 'here' | 'thread'
  /** Called with the connection before the store is created. */
  prepare?: (db: Connection) => void
}

/** Starts the real server on a free port, by default with a new data directory. It stops when the test ends, or earlier by `stop`. */
export async function start(t: Pick<TestContext, 'after'>, options: StartOptions = {}): Promise<Server> {
  const { directory = temporaryDirectory(t), clock = new FakeClock(), rateLimits = 'off', work = 'here' } = options
  const isCopy = options.schema === undefined && !existsSync(databasePath(directory))
  if (isCopy) placeDatabase(directory)
  const config = {
    ...readConfig([...limitSettings, ...networkSettings], {}, {}),
    port: 0,
    rateLimits,
    ...options.limits,
  }
  const { path, db, release } = openForServer(directory, options.schema ?? schema)
  if (isCopy) renewSecrets(db)
  options.prepare?.(db)
  const { durability = walDurability(path, () => {}), busyMsMax, slow } = options
  const store = new Store({
    db,
    clock,
    durability,
    ...(busyMsMax !== undefined && { busyMsMax }),
    ...(slow && { slow }),
  })
  const readThreads = new ReadThreads({ path, limitMs: config.listMs, timeMsMax: options.snapshotMsMax })
  const logState = 'logState' in durability ? (durability as WalDurability).logState : newLogState()
  const { contents = contentsBeside(path) } = options
  const { mailDomain: domain, dns } = config
  const mail = openMail({ store, contents, domain, dns, directory: join(directory, 'mail') })
  const afterwards = (workspaceId: number) => removeErasedOf(store, contents, workspaceId)
  const longRequests = new LongRequests({ store, path, logState, afterwards })
  const { webhooks = 'nowhere', mailboxes, mailboxPauses: pauses, mailboxesMax: readMax } = options
  const allowed = [...(mailboxes ?? []), ...(webhooks === 'nowhere' ? [] : [{ host: '127.0.0.1' }])]
  const destinations = new Destinations(allowed)
  const times = { ...streamTimes, ...options.times }
  const app = createApp({
    ...{ config, store, readThreads, times, destinations },
    contents,
    mail: mail.room,
    mailSpool: domain === undefined ? undefined : mail.spool,
    serveLong: options.longRequests === 'here' ? undefined : longRequests.serve,
    observers: [keepRequest],
  })
  const setupPath = await openFirstSetup(store)
  const listener = await listen(app, config)
  await mail.start()
  const sources = mailboxes && followSources({ store, contents, mail: mail.room, destinations, pauses, readMax })
  const working = startWorkIn(work, store, path, durability)
  const sending =
    webhooks === 'here'
      ? startWebhooksHere(store, app.hub, {
          resources: loggedResources,
          attempt: (delivery, signal) => attempt(delivery, destinations, { signal }),
        })
      : webhooks === 'thread' && startWebhooks(store, app.hub, { path, allowed })
  let stopped: Promise<void> | undefined
  const end = async () => {
    await listener.drain()
    if (sending) await sending.stop()
    await sources?.stop()
    await mail.stop()
    await working?.stop()
    await app.usage.end()
    await readThreads.close()
    await longRequests.close()
    await store.close()
    release()
  }
  const stop = () => {
    stopped ??= end()
    return stopped
  }
  t.after(() => {
    config.drainMsMax = 0 // the test has its responses
    return stop()
  })
  const company = (name: string, plan?: string) => newCompany(store, listener.url, name, plan)
  return {
    ...{ url: listener.url, clock, store, directory, path, company },
    ...{ usage: app.usage, setupPath, drain: listener.drain, stop },
    client: async (plan) => (await company('Acme', plan)).client,
  }
}

function keepRequest({ requestId, method, path, status, ms }: Observed): void {
  keepLine(`${method} ${path} ${status} in ${ms.toFixed(1)} ms, ${requestId}`)
}

function startWorkIn(place: WorkPlace, store: Store, path: string, durability: Durability): Work | undefined {
  if (place === 'nowhere') return undefined
  if (place === 'here') return startWorkHere(store)
  assert.ok('logState' in durability, 'a thread needs the state of the log')
  return startWork(store, {
    path,
    logState: (durability as WalDurability).logState,
    searched: resources.map(searchedOf),
  })
}
