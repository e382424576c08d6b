import type { Call } from '../engine/api/call/route.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import { forbidden } from '../errors.ts'
import { cursorOf, type FeedPage, type Follower, feedReading, isFiltered, openFollower } from './feed.ts'
import type { FeedQuery } from './feed-query.ts'

/** A caller that reads page after page of the log. It lasts long, so it keeps only what it needs of its call. */
export class Following {
  readonly #resources: readonly Resource[]
  readonly #reading: ReturnType<typeof feedReading>
  readonly #call: Pick<Call, 'reader' | 'read' | 'log' | 'recheck'>
  #follower: Follower
  /** The newest number of a change when the last page was read. */
  latest = 0

  /** Throws 410 if the log does not lead to where the query begins. */
  constructor(resources: readonly Resource[], call: Call, query: FeedQuery) {
    this.#resources = resources
    this.#reading = feedReading(resources)
    const { reader, read, log, recheck } = call
    this.#call = { reader, read, log, recheck }
    this.#follower = openFollower(call, query)
  }

  /** The cursor of the position that it has reached, or of a change. */
  cursor(seq = this.#follower.seq): string {
    return cursorOf(this.#follower, seq)
  }

  get logId(): string {
    return this.#follower.logId
  }

  get isFiltered(): boolean {
    return isFiltered(this.#resources, this.#call.reader, this.#follower)
  }

  /** Resolves when the position is on disk, so that it may be shown. */
  synced(): Promise<void> {
    return this.#call.log.synced(this.#follower.seq)
  }

  /** Checks the caller's permissions again. Throws if the caller may no longer read the feed. */
  renew(): void {
    const { scopes, viewer } = this.#call.recheck()
    if (viewer.isAdmin !== this.#follower.viewer.isAdmin)
      throw forbidden('Your role has changed: send the request again')
    if (scopes !== this.#follower.scopes) this.#follower = { ...this.#follower, scopes }
  }

  /** Reads the next page. It is on disk, and contains what the caller may see at the end of the call. Throws as `renew` does, and 503. */
  async next(): Promise<FeedPage> {
    for (;;) {
      const { scopes } = this.#follower
      const page = await this.#call.read(this.#reading, this.#follower)
      await this.#call.log.synced(page.latest)
      this.renew()
      if (!isSame(scopes, this.#follower.scopes)) continue
      this.#follower = { ...this.#follower, seq: page.seq }
      this.latest = page.latest
      return page
    }
  }

  /** Reads the next page, and waits for one that is not empty for at most `ms`. Throws as `next` and `CallLog.wait` do. */
  async wait(ms: number): Promise<FeedPage> {
    const endMs = performance.now() + ms
    for (;;) {
      const page = await this.next()
      const restMs = endMs - performance.now()
      if (page.changes.length > 0 || page.hasMore || restMs <= 0) return page
      if (!(await this.#call.log.wait(page.latest, restMs))) return page
    }
  }
}

function isSame(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return some.size === others.size && [...some].every((each) => others.has(each))
}
