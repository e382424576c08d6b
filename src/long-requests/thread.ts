import { parentPort, workerData } from 'node:worker_threads'
import { type Credential, Credentials, missingKey } from '../access/credentials.ts'
import { RateLimiter } from '../access/rate-limit.ts'
import { lookupSessionOf } from '../access/session.ts'
import { readCursorSecret } from '../access/setting.ts'
import { ChangeHub } from '../changes/hub.ts'
import { routes } from '../features/index.ts'
import { Destinations } from '../features/webhooks/transport/destinations.ts'
import { innerApi } from '../http/api.ts'
import type { Content, Ctx, Layer } from '../http/exchange.ts'
import type { Identity, LongRequest } from '../http/long-request.ts'
import { notFound } from '../http/router.ts'
import { credentialOf } from '../http/session.ts'
import { Waiting } from '../http/waiting.ts'
import { replyHere } from '../mcp/serve.ts'
import { diskFaultOf } from '../store/constraint.ts'
import { noDurability } from '../store/durability.ts'
import { openConnection } from '../store/open.ts'
import { logSlow } from '../store/slow.ts'
import { Store } from '../store/store.ts'
import { serverClock } from '../threads/server-clock.ts'
import { type Announced, type LongOrder, type LongReport, type LongRequestInput, sentError } from './thread-messages.ts'

// A thread that serves long requests, one at a time, on a connection of its own.

const cacheKiB = 8_192
const secondMs = 1_000

const { path, slowMs } = workerData as LongRequestInput
const db = openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL', cacheKiB })
const clock = serverClock(0)
const announced = new Map<string, Announced>()
const store = new Store({
  ...{ db, clock, durability: noDurability },
  ...(slowMs !== undefined && { slow: logSlow(slowMs) }),
  disk: { note: reportDiskFault },
  onAnnounced: (topic, workspaceId) => announced.set(`${topic} ${workspaceId}`, [topic, workspaceId]),
})
const credentials = new Credentials(store)
const api: Layer = innerApi(routes, {
  ...{ store, readThreads: undefined, letOthersWrite },
  limiter: new RateLimiter(store, { enforced: false }),
  cursorSecret: readCursorSecret(store.access),
  waiting: new Waiting(new ChangeHub(store, secondMs), 0),
  destinations: new Destinations([]),
  mail: undefined,
  contents: undefined, // the event loop removes content, when its removal is on disk
  inner: () => api,
})
let goOn: (() => void) | undefined

parentPort!.on('message', (order: LongOrder) => {
  if (order === 'go on') goOn?.()
  else void serve(order)
})

async function serve({ request, aheadMs }: Exclude<LongOrder, string>): Promise<void> {
  clock.aheadMs = aheadMs
  announced.clear()
  const outcome = await respond(request).then(
    (content) => ({ content }),
    (thrown) => ({ error: sentError(thrown) }),
  )
  report({ announced: [...announced.values()], ...outcome })
}

async function respond(request: LongRequest): Promise<Content> {
  const ctx = ctxOf(request)
  const { message } = request
  if (message) return replyHere(ctx, { store, api, publicUrl: message.consoleUrl }, message.text)
  await api(ctx, notFound)
  return ctx.state.content!
}

/** What the layers of the API use of a request. */
function ctxOf({ method, headers, body, ...request }: LongRequest): Ctx {
  const { path, query, basePath, requestId } = request
  const bytes = body && { ...body, bytes: Buffer.from(body.bytes) } // a buffer arrives as plain bytes
  const state = {
    ...{ path, query, basePath, requestId, headers: [], clients: [], credential: findCredential(request.identity) },
    ...(bytes && { body: bytes }),
  }
  const req = { method, headers }
  return { req, method, state, params: {}, accepts: () => 'application/json' } as unknown as Ctx
}

/** Throws a 401 error. */
function findCredential(identity: Identity): Credential {
  if ('authorization' in identity) return credentials.find(identity.authorization)
  const found = credentialOf(store, () => {
    const session = lookupSessionOf(store.access, identity.session, clock.now())
    return session && { session, environment: identity.environment }
  })
  if (!found) throw missingKey()
  return found
}

/** Asks the event loop to let the writes pass that wait there. */
function letOthersWrite(): Promise<void> {
  return new Promise((resolve) => {
    goOn = resolve
    report('let others write')
  })
}

function reportDiskFault(error: unknown): void {
  const diskFault = diskFaultOf(error, path)
  if (diskFault) report({ diskFault })
}

function report(message: LongReport): void {
  parentPort!.postMessage(message)
}
