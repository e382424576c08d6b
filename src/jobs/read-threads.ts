import type { DuplicateSearch } from '../engine/duplicates/find.ts'
import type { DuplicateGroup } from '../engine/duplicates/group.ts'
import { costliest } from '../engine/list/list-cost.ts'
import type { Listing, Page } from '../engine/list/page.ts'
import type { Search, SearchResult } from '../engine/search/find.ts'
import type { Group, Summing } from '../engine/summary/find-groups.ts'
import { unavailable } from '../store/constraint.ts'
import { type Found, ReadThread, type ReadThreadInput, type ThreadRead } from './read-thread-handle.ts'

interface ReadThreadsOptions extends Omit<ReadThreadInput, 'stop'> {
  /** How long a read may take in milliseconds, including its wait. */
  limitMs: number
}

interface Waiting extends ThreadRead {
  resolve: (found: Found) => void
  reject: (error: unknown) => void
}

/** Each thread takes about 20 MiB for its connection and heap. */
const threadsMax = 3
/** The maximum number of waiting reads of one workspace. */
const waitingMax = 200

/**
 * Runs long lists and other long reads on threads. Each workspace has one read at a time, in turn with the others, so the reads of
 * one workspace do not delay those of another.
 */
export class ReadThreads {
  readonly #options: ReadThreadsOptions
  readonly #threads: ReadThread[] = []
  /** The waiting reads by workspace, in the order of the workspaces' turns. */
  readonly #waiting = new Map<number, Waiting[]>()
  readonly #busy = new Set<number>()

  constructor(options: ReadThreadsOptions) {
    this.#options = options
  }

  /** Finds a page of a list. Throws 503 SERVICE_UNAVAILABLE if too many reads wait, if it takes too long, or if no thread can run it. */
  find(workspaceId: number, listing: Listing, cause?: string): Promise<Page> {
    return this.#enqueue({ workspaceId, what: listing, cause }) as Promise<Page>
  }

  /** Finds the groups of a summary. Throws as `find` does. */
  findGroups(workspaceId: number, summing: Summing, cause?: string): Promise<Group[]> {
    return this.#enqueue({ workspaceId, what: summing, cause }) as Promise<Group[]>
  }

  /** Searches a workspace. Throws as `find` does. */
  search(workspaceId: number, search: Search, cause?: string): Promise<SearchResult[]> {
    return this.#enqueue({ workspaceId, what: search, cause }) as Promise<SearchResult[]>
  }

  /** Finds groups of duplicates. Throws as `find` does. */
  findDuplicates(workspaceId: number, search: DuplicateSearch, cause?: string): Promise<DuplicateGroup[]> {
    return this.#enqueue({ workspaceId, what: search, cause }) as Promise<DuplicateGroup[]>
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  #enqueue(read: ThreadRead): Promise<Found> {
    const queue = this.#waiting.get(read.workspaceId) ?? []
    if (queue.length >= waitingMax) return Promise.reject(unavailable('Too many long lists are waiting'))
    this.#waiting.set(read.workspaceId, queue)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#giveUp(waiting), this.#options.limitMs)
      const waiting: Waiting = {
        ...read,
        resolve(found) {
          clearTimeout(timer)
          resolve(found)
        },
        reject(error) {
          clearTimeout(timer)
          reject(error)
        },
      }
      queue.push(waiting)
      this.#runNext()
    })
  }

  #runNext(): void {
    for (const [workspaceId, queue] of this.#waiting) {
      if (this.#busy.has(workspaceId)) continue
      const thread = this.#idleThread()
      if (!thread) return
      const next = queue.shift()!
      this.#waiting.delete(workspaceId)
      if (queue.length > 0) this.#waiting.set(workspaceId, queue) // after the others
      void this.#run(thread, next)
    }
  }

  async #run(thread: ReadThread, waiting: Waiting): Promise<void> {
    this.#busy.add(waiting.workspaceId)
    try {
      waiting.resolve(await thread.run(waiting))
    } catch (error) {
      waiting.reject(error)
    }
    this.#busy.delete(waiting.workspaceId)
    this.#runNext()
  }

  #idleThread(): ReadThread | undefined {
    const idle = this.#threads.find((thread) => !thread.isBusy)
    if (idle || this.#threads.length === threadsMax) return idle
    const thread = new ReadThread(this.#options)
    this.#threads.push(thread)
    return thread
  }

  /** Stops a read that has taken too long, or has waited too long for its turn. */
  #giveUp(waiting: Waiting): void {
    const queue = this.#waiting.get(waiting.workspaceId) ?? []
    const place = queue.indexOf(waiting)
    if (place === -1) this.#threads.find((thread) => thread.isRunning(waiting))?.stop()
    else queue.splice(place, 1)
    if (queue.length === 0) this.#waiting.delete(waiting.workspaceId)
    const seconds = this.#options.limitMs / 1000
    const reason = place === -1 ? advice(waiting.what) : 'it waited for other long lists: try again later'
    waiting.reject(unavailable(`The ${nameOf(waiting.what)} took longer than ${seconds} s: ${reason}`))
  }
}

function advice(what: ThreadRead['what']): string {
  if (isSearch(what)) return 'give more or longer words, or fewer types'
  if (isDuplicates(what)) return 'try again later, or with a smaller limit'
  const filter = costliest(what.where)
  if (filter) return `narrow the filter ${filter.parameter}, or add a filter that few records match`
  const few = 'add a filter that few records match'
  return isList(what) ? `read it page by page with cursor, or ${few}` : few
}

function isList(what: ThreadRead['what']): what is Listing {
  return 'order' in what
}

function nameOf(what: ThreadRead['what']): string {
  if (isDuplicates(what)) return 'search for duplicates'
  return isSearch(what) ? 'search' : isList(what) ? 'list' : 'summary'
}

function isDuplicates(what: ThreadRead['what']): what is DuplicateSearch {
  return 'compared' in what
}

function isSearch(what: ThreadRead['what']): what is Search {
  return 'targets' in what
}
