import type { ApiResponse } from '../engine/http-response.ts'
import type { Route } from '../engine/route.ts'
import { RecentlyUsed } from '../lib/recently-used.ts'
import type { Store } from '../store/store.ts'
import { CompressedOnce } from './compression.ts'
import type { Ctx } from './exchange.ts'
import type { Content } from './response.ts'

interface Kept {
  route: Route
  response: Content
  /** Of the workspace, when it was answered. */
  version: number
  /** About. */
  bytes: number
}

/** Beside the text: strings, objects, the place in the map. */
const overheadBytes = 500
/** A longer answer would push out too many others. */
const shareMax = 1 / 8

/**
 * Answers of routes whose answers follow from the workspace's records, by workspace and URL, for as long as nothing has changed: every
 * write is known to the store. Rights are not remembered here.
 */
export class ResponseCache {
  readonly #store: Store
  readonly #bytesMax: number
  readonly #kept: RecentlyUsed<Kept>

  constructor(store: Store, { bytesMax }: { bytesMax: number }) {
    this.#store = store
    this.#bytesMax = bytesMax
    this.#kept = new RecentlyUsed(bytesMax, ({ bytes }) => bytes)
  }

  lookup({ method, req, state: { credential } }: Ctx): Kept | undefined {
    if (method !== 'GET' || !credential) return undefined
    const kept = this.#kept.get(nameOf(credential.workspaceId, req.url!))
    return kept && kept.version === this.#store.versionOf(credential.workspaceId) ? kept : undefined
  }

  /** Has the request answered, and keeps the answer under the version before: whatever changes meanwhile, it is not taken for newer. */
  through(
    route: Route,
    { req, state }: Ctx,
    run: () => ApiResponse | Promise<ApiResponse>,
  ): Content | Promise<Content> {
    if (!route.lasting) return run()
    const { workspaceId } = state.credential!
    const version = this.#store.versionOf(workspaceId)
    const keep = (given: ApiResponse) => {
      if (given.parts) return given
      const bytes = 2 * (given.body.length + req.url!.length) + overheadBytes
      const name = nameOf(workspaceId, req.url!)
      const response: Content = { ...given, bodyBytes: Buffer.byteLength(given.body) }
      if (bytes > this.#bytesMax * shareMax) return response
      response.compressed = new CompressedOnce((more) => {
        if (this.#kept.get(name)?.response === response)
          this.#kept.put(name, { route, response, version, bytes: bytes + more })
      })
      this.#kept.put(name, { route, response, version, bytes })
      return response
    }
    const given = run()
    return given instanceof Promise ? given.then(keep) : keep(given)
  }
}

function nameOf(workspaceId: number, url: string): string {
  return `${workspaceId} ${url}`
}
