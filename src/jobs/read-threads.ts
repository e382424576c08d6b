import type { DuplicateSearch } from '../engine/duplicates/find.ts'
import type { DuplicateGroup } from '../engine/duplicates/group.ts'
import { costliest } from '../engine/list/list-cost.ts'
import type { Listing, Page } from '../engine/list/page.ts'
import type { Asked } from '../engine/reading.ts'
import type { Search, SearchResult } from '../engine/search/find.ts'
import type { Group, Summing } from '../engine/summary/find-groups.ts'
import { unavailable } from '../store/constraint.ts'
import type { Shown } from '../store/log-position.ts'
import { type AskedRead, type Found, ReadThread, type ReadThreadInput, type ThreadRead } from './read-thread-handle.ts'
import { ThreadPool } from './thread-pool.ts'

interface ReadThreadsOptions extends Omit<ReadThreadInput, 'stop'> {
  /** How long a read may take in milliseconds, including its wait. */
  limitMs: number
}

/** Each thread takes about 20 MiB for its connection and heap. */
const threadsMax = 3
/** The maximum number of waiting reads of one workspace. */
const waitingMax = 200

/** Runs long lists and other long reads on threads, within a time limit. */
export class ReadThreads {
  readonly #limitMs: number
  readonly #pool: ThreadPool<AskedRead, Found, ReadThread>

  constructor({ limitMs, ...input }: ReadThreadsOptions) {
    this.#limitMs = limitMs
    this.#pool = new ThreadPool({ threadsMax, waitingMax, purpose: 'long lists', make: () => new ReadThread(input) })
  }

  /** Finds a page of a list, and tells `shown` its position. Throws 503 SERVICE_UNAVAILABLE if too many reads wait, if it takes too long, or if no thread can run it. */
  find(workspaceId: number, listing: Listing, cause?: string, shown?: Shown): Promise<Page> {
    return this.#read({ workspaceId, what: listing, cause, shown }) as Promise<Page>
  }

  /** Finds the groups of a summary. Throws as `find` does. */
  findGroups(workspaceId: number, summing: Summing, cause?: string, shown?: Shown): Promise<Group[]> {
    return this.#read({ workspaceId, what: summing, cause, shown }) as Promise<Group[]>
  }

  /** Searches a workspace. Throws as `find` does. */
  search(workspaceId: number, search: Search, cause?: string, shown?: Shown): Promise<SearchResult[]> {
    return this.#read({ workspaceId, what: search, cause, shown }) as Promise<SearchResult[]>
  }

  /** Finds groups of duplicates. Throws as `find` does. */
  findDuplicates(
    workspaceId: number,
    search: DuplicateSearch,
    cause?: string,
    shown?: Shown,
  ): Promise<DuplicateGroup[]> {
    return this.#read({ workspaceId, what: search, cause, shown }) as Promise<DuplicateGroup[]>
  }

  /** Runs any other reading. Throws as `find` does. */
  read(workspaceId: number, asked: Asked, cause?: string, shown?: Shown): Promise<unknown> {
    return this.#read({ workspaceId, what: asked, cause, shown })
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  #read(read: AskedRead): Promise<Found> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(this.#giveUp(read)), this.#limitMs)
      this.#pool
        .run(read)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer))
    })
  }

  /** Stops a read that has taken too long, or has waited too long for its turn. Returns the error of its request. */
  #giveUp(read: AskedRead): Error {
    const hasWaited = this.#pool.withdraw(read)
    if (!hasWaited) this.#pool.threadOf(read)?.stop()
    const reason = hasWaited ? 'it waited for other long lists: try again later' : advice(read.what)
    return unavailable(`The ${nameOf(read.what)} took longer than ${this.#limitMs / 1000} s: ${reason}`)
  }
}

function advice(what: ThreadRead['what']): string {
  if (isSearch(what)) return 'give more or longer words, or fewer types'
  if (isDuplicates(what) || isAsked(what)) return 'try again later, or with a smaller limit'
  const filter = costliest(what.where)
  if (filter) return `narrow the filter ${filter.parameter}, or add a filter that few records match`
  const few = 'add a filter that few records match'
  return isList(what) ? `read it page by page with cursor, or ${few}` : few
}

function isList(what: ThreadRead['what']): what is Listing {
  return 'order' in what
}

function nameOf(what: ThreadRead['what']): string {
  if (isAsked(what)) return what.reading
  if (isDuplicates(what)) return 'search for duplicates'
  return isSearch(what) ? 'search' : isList(what) ? 'list' : 'summary'
}

function isDuplicates(what: ThreadRead['what']): what is DuplicateSearch {
  return 'compared' in what
}

function isSearch(what: ThreadRead['what']): what is Search {
  return 'targets' in what
}

function isAsked(what: ThreadRead['what']): what is Asked {
  return 'reading' in what
}
