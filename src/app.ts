import type { IncomingMessage, ServerResponse } from 'node:http'
import Koa from 'koa'
import { Credentials } from './access/credentials.ts'
import { RateLimiter } from './access/rate-limit.ts'
import { readCursorSecret } from './access/setting.ts'
import { Usage } from './access/usage.ts'
import { ChangeHub } from './changes/hub.ts'
import type { Config } from './config.ts'
import { serveCalendars } from './console/calendar-feed.ts'
import { serveFrames } from './console/message-frame.ts'
import { servePages } from './console/pages.ts'
import { serveConsole } from './console/serve.ts'
import type { Contents } from './content/contents.ts'
import type { Route } from './engine/api/call/route.ts'
import type { BackupDesk } from './features/backups/backup-desk.ts'
import { routes as apiRoutes } from './features/index.ts'
import type { MailSpool } from './features/mail/spool.ts'
import { isTestToken } from './features/mail/test-token.ts'
import { Destinations } from './features/webhooks/transport/destinations.ts'
import { Admission } from './http/admission.ts'
import { admit, isApiPath } from './http/admit.ts'
import { innerApi, serveApi } from './http/api.ts'
import { bodyReaders } from './http/body.ts'
import { clientAddress, clientSecurity } from './http/client-address.ts'
import { compose } from './http/compose.ts'
import { Compression } from './http/compression.ts'
import { cors } from './http/cors.ts'
import { docs, type Exemplify } from './http/docs.ts'
import { type StreamTimes, streamTimes } from './http/event-stream.ts'
import { EventStreams } from './http/event-streams.ts'
import type { Ctx, Layer } from './http/exchange.ts'
import { FairTurns } from './http/fair-turns.ts'
import { type Health, health } from './http/health.ts'
import type { ServeLong } from './http/long-request.ts'
import { serveMailIn } from './http/mail-in.ts'
import { type Observe, observeAll } from './http/observe.ts'
import { oneHost } from './http/one-host.ts'
import { Outflow } from './http/outflow.ts'
import { problem } from './http/problem.ts'
import type { ReadThreads } from './http/read.ts'
import { requestId } from './http/request-id.ts'
import { ResponseCache } from './http/response-cache.ts'
import { notFound, pathNamer } from './http/router.ts'
import type { Served } from './http/server.ts'
import { openSessions } from './http/session.ts'
import { Places, Uploads } from './http/upload.ts'
import { Waiting } from './http/waiting.ts'
import { Budget } from './lib/budget.ts'
import { errorFields, log } from './lib/log.ts'
import { systemRandomness } from './lib/randomness.ts'
import type { Mailroom } from './mail/mailroom.ts'
import { isMcpPath, serveMcp } from './mcp/serve.ts'
import type { Store } from './store/store.ts'

export interface App extends Served {
  usage: Usage
  hub: ChangeHub
}

export type AppConfig = Pick<
  Config,
  | 'rateLimits'
  | 'connectionsMax'
  | 'requestsMax'
  | 'requestsPerClientMax'
  | 'bodiesBytesMax'
  | 'bodiesBytesPerClientMax'
  | 'unreadBytesMax'
  | 'unreadBytesPerClientMax'
  | 'stallMs'
  | 'bodyBytesMax'
  | 'bulkBodyBytesMax'
  | 'fileBytesMax'
  | 'jsonDepthMax'
  | 'urlBytesMax'
  | 'responseCacheBytesMax'
  | 'trustedProxies'
  | 'corsOrigins'
  | 'mcpOrigins'
  | 'compression'
  | 'webhookAllow'
  | 'dns'
  | 'mailDomain'
  | 'publicUrl'
  | 'tlsCert'
>

/** Creates the application: the middleware layers in order, one line each. */
export function createApp({
  config,
  store,
  readThreads,
  serveLong,
  observers = [],
  times = streamTimes,
  destinations = new Destinations(config.webhookAllow, { dns: config.dns }),
  routes = apiRoutes,
  backups,
  contents,
  mail,
  mailSpool,
  writeUsage,
  nodeLayer,
  isUnlimited,
  firstLayers = [],
  layers = [],
  newRequestId = systemRequestIds(),
  exemplify,
  state = { draining: false },
}: {
  config: AppConfig
  store: Store
  /** Answer long questions; undefined: the event loop does. */
  readThreads?: ReadThreads
  /** Serves long requests on other threads; undefined: on the event loop. */
  serveLong?: ServeLong
  observers?: readonly Observe[]
  /** The times of event streams. */
  times?: StreamTimes
  /** Where webhooks may be sent. */
  destinations?: Pick<Destinations, 'refusal'>
  /** The endpoints of the API; default: those of every server. */
  routes?: readonly Route[]
  /** Null: the operator has not set a directory. Undefined: the server cannot make backups. */
  backups?: BackupDesk | null
  /** Where content is; undefined: this server stores none. */
  contents?: Contents | undefined
  /** What the server has for mail; undefined: it takes none. */
  mail?: Mailroom | undefined
  /** Keeps messages that somebody without a key has sent; undefined: nobody can. */
  mailSpool?: MailSpool | undefined
  /** Stores the usage of keys; default: in the database. */
  writeUsage?: ConstructorParameters<typeof Usage>[1]
  /** Of a server with a log (cluster/http.ts): comes before all layers that read or write. */
  nodeLayer?: ((parts: { limiter: RateLimiter }) => Layer) | undefined
  /** Whether rate limits do not apply to a path; default: to none. */
  isUnlimited?: (path: string) => boolean
  /** Further layers for all requests. */
  firstLayers?: readonly Layer[]
  /** Further layers for requests of the API and of agents that are authenticated. */
  layers?: readonly Layer[]
  newRequestId?: () => string
  /** Puts other examples into the OpenAPI document. */
  exemplify?: Exemplify
  state?: Health
}): App {
  const credentials = new Credentials(store)
  const limiter = new RateLimiter(store, { enforced: config.rateLimits === 'plan' })
  const usage = new Usage(store, writeUsage)
  const cursorSecret = readCursorSecret(store.access)
  const inFlight = new Budget({ total: config.bodiesBytesMax, share: config.bodiesBytesPerClientMax })
  const turns = new FairTurns()
  const readers = bodyReaders({ ...config, inFlight, turns })
  const admission = new Admission(limiter, config, isUnlimited)
  const observe = observeAll(observers, pathNamer(routes))
  const responses = new ResponseCache(store, { bytesMax: config.responseCacheBytesMax })
  const hub = new ChangeHub(store, times.checkMs)
  const waiting = new Waiting(hub, Math.ceil(config.connectionsMax / 4))
  const streams = new EventStreams(hub, times, Math.ceil(config.connectionsMax / 2))
  const isTest = (token: unknown) => isTestToken(store.access, token, store.clock.now())
  const api = {
    ...{ store, responses, limiter, readThreads, serveLong },
    ...{ readers, turns, cursorSecret, waiting, streams, destinations, contents, mail },
    uploads: new Uploads(contents, config.fileBytesMax, new Places()),
    inner: (): Layer => inner,
  }
  const inner = innerApi(routes, api)
  const basePath = config.publicUrl?.path ?? ''
  const takesMail = mail?.domain !== undefined
  const sessions = openSessions(store, clientSecurity(config.trustedProxies), basePath)

  const apiLayers = compose([
    admit({ sessions, credentials, admission, usage, urlBytesMax: config.urlBytesMax }),
    ...layers,
    docs(routes, config.publicUrl?.href, exemplify),
    responses.layer,
    serveApi(routes, api),
  ])
  const mcp = serveMcp({
    ...{ store, credentials, admission, usage, readers, turns, layers, api: inner, serveLong },
    ...{ urlBytesMax: config.urlBytesMax, origins: config.mcpOrigins, publicUrl: config.publicUrl?.href },
  })
  const mcpLayers = compose([...(config.mcpOrigins.length > 0 ? [cors(config.mcpOrigins, admission)] : []), mcp])
  const otherLayers = compose([
    serveFrames({ admission, sessions, store, contents }),
    servePages({ admission, sessions, store, takesMail, api: inner, publicUrl: config.publicUrl }),
    serveConsole({ store, sessions, admission, readers, turns, api: inner, readThreads, backups, mail }),
    serveCalendars({ store, admission, readThreads, publicUrl: config.publicUrl }),
    ...(mailSpool ? [serveMailIn({ admission, places: new Places(), spool: mailSpool, isTest })] : []),
    apiLayers,
  ])
  const serve = compose([
    requestId({
      newId: newRequestId,
      observe,
      outflow: new Outflow(config),
      compression: config.compression === 'on' ? new Compression() : undefined,
      addressOf: clientAddress(config.trustedProxies),
      headers: transportHeaders(config),
      basePath,
    }),
    ...firstLayers,
    problem(),
    oneHost(limiter),
    ...(nodeLayer ? [nodeLayer({ limiter })] : []),
    health(state, () => !store.disk.fault),
    ...(config.corsOrigins.length > 0 ? [cors(config.corsOrigins, admission)] : []),
    (ctx, next) => {
      const { path } = ctx.state
      if (isApiPath(path)) return apiLayers(ctx, next)
      return (isMcpPath(path) ? mcpLayers : otherLayers)(ctx, next)
    },
  ])
  const koa = new Koa()
  return { handle, health: state, limiter, usage, hub, observe, endWaiting }

  /** Not `koa.callback()`, which watches the end of each response: a tenth of the memory that a request takes. `atEnd` does that. */
  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      store.noteArrival()
      await serve(koa.createContext(req, res) as Ctx, notFound)
    } catch (error) {
      log('a response could not be sent', errorFields(error), 'error')
      res.destroy()
    }
  }

  /** Responds to requests that wait for changes, and ends the streams of events. */
  function endWaiting(): void {
    waiting.close()
    streams.close()
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
