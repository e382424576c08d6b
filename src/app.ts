import Koa from 'koa'
import { Credentials } from './access/credentials.ts'
import { RateLimiter } from './access/rate-limit.ts'
import { readCursorSecret } from './access/setting.ts'
import { Usage } from './access/usage.ts'
import { ChangeHub } from './changes/hub.ts'
import type { Config } from './config.ts'
import { serveCalendars } from './console/calendar-feed.ts'
import { servePages } from './console/pages.ts'
import { serveConsole } from './console/serve.ts'
import { routes as apiRoutes } from './crm/index.ts'
import type { Route } from './engine/route.ts'
import { Admission } from './http/admission.ts'
import { admit } from './http/admit.ts'
import { type OffThreadLists, type OffThreadSnapshots, readApi, serveApi } from './http/api.ts'
import { bodyReaders } from './http/body.ts'
import { clientAddress, clientSecurity } from './http/client-address.ts'
import { Compression } from './http/compression.ts'
import { cors } from './http/cors.ts'
import { docs } from './http/docs.ts'
import { type StreamTimes, streamTimes } from './http/event-stream.ts'
import { EventStreams } from './http/event-streams.ts'
import type { Layer } from './http/exchange.ts'
import { type Health, health } from './http/health.ts'
import { type Observe, observeAll } from './http/observe.ts'
import { oneHost } from './http/one-host.ts'
import { Outflow } from './http/outflow.ts'
import { problem } from './http/problem.ts'
import { requestId } from './http/request-id.ts'
import { ResponseCache } from './http/response-cache.ts'
import { notFound, pathNamer } from './http/router.ts'
import type { Served } from './http/server.ts'
import { openSessions } from './http/session.ts'
import { Waiting } from './http/waiting.ts'
import type { BackupDesk } from './jobs/backup-desk.ts'
import { Budget } from './lib/budget.ts'
import { systemRandomness } from './lib/randomness.ts'
import type { Store } from './store/store.ts'
import { Destinations } from './webhooks/destinations.ts'

export interface App extends Served {
  usage: Usage
  hub: ChangeHub
}

export type AppConfig = Pick<
  Config,
  | 'rateLimits'
  | 'requestsMax'
  | 'requestsPerClientMax'
  | 'bodiesBytesMax'
  | 'bodiesBytesPerClientMax'
  | 'unreadBytesMax'
  | 'unreadBytesPerClientMax'
  | 'stallMs'
  | 'bodyBytesMax'
  | 'bulkBodyBytesMax'
  | 'jsonDepthMax'
  | 'urlBytesMax'
  | 'responseCacheBytesMax'
  | 'trustedProxies'
  | 'corsOrigins'
  | 'compression'
  | 'webhookAllow'
  | 'publicUrl'
  | 'tlsCert'
>

/** Creates the application: the middleware layers in order, one line each. */
export function createApp({
  config,
  store,
  offThreadLists,
  snapshots,
  observers = [],
  times = streamTimes,
  destinations = new Destinations(config.webhookAllow),
  routes = apiRoutes,
  backups,
  writeUsage,
  nodeLayer,
  isUnlimited,
  firstLayers = [],
  layers = [],
  newRequestId = systemRequestIds(),
  state = { draining: false },
}: {
  config: AppConfig
  store: Store
  /** Runs long lists and sums on other threads; undefined: they run on the event loop. */
  offThreadLists?: OffThreadLists
  /** Reads snapshots on other threads; undefined: on the event loop. */
  snapshots?: OffThreadSnapshots
  observers?: readonly Observe[]
  /** The times of event streams. */
  times?: StreamTimes
  /** Where webhooks may be sent. */
  destinations?: Pick<Destinations, 'refusal'>
  /** The endpoints of the API; default: those of every server. */
  routes?: readonly Route[]
  /** Null: the operator has not set a directory. Undefined: the server cannot make backups. */
  backups?: BackupDesk | null
  /** Stores the usage of keys; default: in the database. */
  writeUsage?: ConstructorParameters<typeof Usage>[1]
  /** Of a server with a log (cluster/http.ts): comes before all layers that read or write. */
  nodeLayer?: ((parts: { usage: Usage; limiter: RateLimiter }) => Layer) | undefined
  /** Whether rate limits do not apply to a path; default: to none. */
  isUnlimited?: (path: string) => boolean
  /** Further layers for all requests. */
  firstLayers?: readonly Layer[]
  /** Further layers for requests of the API that are authenticated. */
  layers?: readonly Layer[]
  newRequestId?: () => string
  state?: Health
}): App {
  const credentials = new Credentials(store)
  const limiter = new RateLimiter(store, { enforced: config.rateLimits === 'plan' })
  const usage = new Usage(store, writeUsage)
  const cursorSecret = readCursorSecret(store.access)
  const inFlight = new Budget({ total: config.bodiesBytesMax, share: config.bodiesBytesPerClientMax })
  const readers = bodyReaders({ ...config, inFlight })
  const admission = new Admission(limiter, config, isUnlimited)
  const observe = observeAll(observers, pathNamer(routes))
  const responses = new ResponseCache(store, { bytesMax: config.responseCacheBytesMax })
  const hub = new ChangeHub(store, times.checkMs)
  const waiting = new Waiting(hub)
  const streams = new EventStreams(hub, times)
  const api = {
    ...{ store, responses, limiter, offThreadLists, snapshots },
    ...{ readers, cursorSecret, waiting, streams, destinations },
  }
  const koa = new Koa()
  koa.silent = true // `problem` logs errors

  const basePath = config.publicUrl?.path ?? ''
  const sessions = openSessions(store, clientSecurity(config.trustedProxies), basePath)

  use(
    requestId({
      newId: newRequestId,
      observe,
      outflow: new Outflow(config),
      compression: config.compression === 'on' ? new Compression() : undefined,
      addressOf: clientAddress(config.trustedProxies),
      headers: transportHeaders(config),
      basePath,
    }),
  )
  for (const layer of firstLayers) use(layer)
  use(problem())
  use(oneHost(limiter))
  if (nodeLayer) use(nodeLayer({ usage, limiter }))
  use(health(state))
  if (config.corsOrigins.length > 0) use(cors(config.corsOrigins, admission))
  use(servePages({ admission, sessions, store, publicUrl: config.publicUrl }))
  use(serveConsole({ store, sessions, admission, readers, api: readApi(routes, api), backups }))
  use(serveCalendars({ store, admission, publicUrl: config.publicUrl }))
  use(admit({ sessions, credentials, admission, usage, urlBytesMax: config.urlBytesMax }))
  for (const layer of layers) use(layer)
  use(docs(routes, config.publicUrl?.href))
  use(responses.layer)
  use(serveApi(routes, api))
  use(notFound)
  return { handle: koa.callback(), health: state, limiter, usage, hub, observe, endWaiting }

  /** Responds to requests that wait for changes, and ends the streams of events. */
  function endWaiting(): void {
    waiting.close()
    streams.close()
  }

  function use(layer: unknown): void {
    koa.use(layer as Koa.Middleware)
  }
}

/** In the order of time, which keeps the log's index of request ids compact. */
function systemRequestIds(): () => string {
  const { newId } = systemRandomness()
  return () => newId(Date.now())
}

const transportSeconds = 31_536_000

/** Headers of every response. With TLS, they forbid browsers to fall back to HTTP. */
function transportHeaders({ tlsCert }: AppConfig): string[] {
  return tlsCert === undefined ? [] : ['Strict-Transport-Security', `max-age=${transportSeconds}`]
}
