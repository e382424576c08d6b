import type { Credential } from '../access/credentials.ts'
import type { Route } from '../engine/api/call/route.ts'
import { RecentlyUsed } from '../lib/recently-used.ts'
import type { Store } from '../store/store.ts'
import { hasRestricted, type Viewer } from '../store/visibility.ts'
import { CompressedOnce } from './compression.ts'
import type { Content, Ctx, Layer } from './exchange.ts'
import { requirePermission } from './permissions.ts'
import { mayPrefer } from './preferred.ts'
import { send } from './response.ts'

interface Entry {
  route: Route
  response: Content
  /** The version of the workspace before the response was created. */
  version: number
  /** Of the response, on a server that follows a log. */
  position: number | undefined
  /** Approximate memory in bytes. */
  bytes: number
}

/** Memory in addition to the text: strings, objects, the entry in the map. */
const overheadBytes = 500
/** The number of workspaces of which it is known whether not everybody sees everything. */
const workspacesMax = 10_000
/** The maximum share of the total for one response. A longer response would evict too many others. */
const shareMax = 1 / 8

/**
 * Caches responses of routes marked `cacheable`, by workspace and URL, until the workspace changes. The store counts every write. Permissions are
 * not stored, they are checked for each request.
 */
export class ResponseCache {
  readonly #store: Store
  readonly #bytesMax: number
  readonly #entries: RecentlyUsed<Entry>
  readonly #restricted = new RecentlyUsed<{ version: number; isRestricted: boolean }>(workspacesMax)

  constructor(store: Store, { bytesMax }: { bytesMax: number }) {
    this.#store = store
    this.#bytesMax = bytesMax
    this.#entries = new RecentlyUsed(bytesMax, ({ bytes }) => bytes)
  }

  /** Sends the cached response if there is one. Throws if the caller lacks the permission. */
  readonly layer: Layer = (ctx, next) => {
    const entry = this.#lookup(ctx)
    if (!entry) return next()
    ctx.state.route = entry.route.path
    requirePermission(entry.route, ctx.state.credential!)
    ctx.state.shown?.note(latest(entry.position, this.#store.position))
    return Promise.resolve(send(ctx, entry.response))
  }

  #lookup({ method, req, state: { credential } }: Ctx): Entry | undefined {
    if (method !== 'GET' || !credential || mayPrefer(req.headers.accept)) return undefined
    const entry = this.#entries.get(this.#nameOf(credential, req.url!))
    return entry && entry.version === this.#store.versionOf(credential.workspaceId) ? entry : undefined
  }

  /** Caches the response under the version from before it was created, so that a change in the meantime invalidates it. */
  cache(route: Route): Layer {
    return async (ctx, next) => {
      const version = this.#store.versionOf(ctx.state.credential!.workspaceId)
      await next()
      ctx.state.content = this.#put(route, ctx, version)
    }
  }

  /** Responses are shared by all who see the same (decision P7). */
  #nameOf({ workspaceId, viewer }: Credential, url: string): string {
    return `${workspaceId} ${this.#isRestricted(workspaceId) ? keyOf(viewer) : ''} ${url}`
  }

  #isRestricted(workspaceId: number): boolean {
    const version = this.#store.versionOf(workspaceId)
    const known = this.#restricted.get(String(workspaceId))
    if (known?.version === version) return known.isRestricted
    const isRestricted = hasRestricted(this.#store.workspace(workspaceId))
    this.#restricted.put(String(workspaceId), { version, isRestricted })
    return isRestricted
  }

  #put(route: Route, { req, state }: Ctx, version: number): Content {
    const given = state.content!
    if (given.parts || given.personal) return given
    const bytes = 2 * (given.body.length + req.url!.length) + overheadBytes
    const name = this.#nameOf(state.credential!, req.url!)
    const response: Content = { ...given, bodyBytes: Buffer.byteLength(given.body) }
    if (bytes > this.#bytesMax * shareMax) return response
    const entry = { route, response, version, position: state.shown?.position }
    const put = (bytesNow: number) => this.#entries.put(name, { ...entry, bytes: bytesNow })
    response.compressed = new CompressedOnce((more) => {
      if (this.#entries.get(name)?.response === response) put(bytes + more)
    })
    put(bytes)
    return response
  }
}

/** The response may have been read from a later snapshot than that of this turn, on another thread. */
function latest(cached: number | undefined, now: number | undefined): number | undefined {
  return now === undefined ? undefined : Math.max(cached ?? 0, now)
}

/** Of a viewer. */
function keyOf({ userId, isAdmin }: Viewer): string {
  return userId === null ? '' : `${isAdmin ? 'admin ' : ''}${userId}`
}
