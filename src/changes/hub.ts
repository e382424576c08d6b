import { FailureLog } from '../lib/failure-log.ts'
import { Paced } from '../lib/paced.ts'
import { changed } from '../store/change-log.ts'
import type { Store } from '../store/store.ts'
import { latestOf } from './stored-change.ts'

/** A reader that waits for changes of a workspace. */
export interface Watcher {
  readonly workspaceId: number
  /** The newest number that it has looked for. */
  latest: number
  /** Called when there may be newer changes. */
  wake(): void
  /** Called at each check, if it is given. */
  check?(): void
}

/** The watchers of a workspace. */
interface Place {
  readonly watchers: Set<Watcher>
  /** Wakes those that have not looked for the newest change. */
  compare(): void
}

/**
 * Wakes readers when their workspace has changed (decision G5). Commits of this process announce themselves once they are on disk. Those of
 * other processes are noticed by a timer, which runs only while somebody waits.
 */
export class ChangeHub {
  readonly #store: Store
  readonly #checkMs: number
  readonly #places = new Map<number, Place>()
  readonly #wakes = new Paced()
  /** Do not delay the wakes. */
  readonly #checks = new Paced()
  readonly #failures = new FailureLog('changes of other processes could not be read')
  #timer: NodeJS.Timeout | undefined
  #version = 0

  constructor(store: Store, checkMs: number) {
    this.#store = store
    this.#checkMs = checkMs
    store.listen(changed, (workspaceId) => this.#wakeAll(workspaceId))
  }

  /** Wakes the watcher for each change, and at once if there is one after its `latest`. Returns a function that ends it. */
  watch(watcher: Watcher): () => void {
    const place = this.#places.get(watcher.workspaceId) ?? this.#open(watcher.workspaceId)
    place.watchers.add(watcher)
    if (!this.#timer) {
      this.#version = this.#store.accessVersion
      this.#timer = setInterval(() => this.#attempt(() => this.#check()), this.#checkMs)
    }
    if (this.#latest(watcher.workspaceId) > watcher.latest) this.soon(watcher.wake)
    return () => this.#leave(place, watcher)
  }

  /** Runs a job in turn with the other watchers'. */
  soon(job: () => void): void {
    this.#wakes.add(job)
  }

  #open(workspaceId: number): Place {
    const watchers = new Set<Watcher>()
    const compare = () =>
      this.#attempt(() => {
        const latest = this.#latest(workspaceId)
        for (const watcher of watchers) if (latest > watcher.latest) this.soon(watcher.wake)
      }, workspaceId)
    const place = { watchers, compare }
    this.#places.set(workspaceId, place)
    return place
  }

  #leave({ watchers, compare }: Place, watcher: Watcher): void {
    watchers.delete(watcher)
    this.#wakes.remove(watcher.wake)
    if (watcher.check) this.#checks.remove(watcher.check)
    if (watchers.size > 0) return
    if (this.#places.get(watcher.workspaceId)?.watchers === watchers) this.#places.delete(watcher.workspaceId)
    this.#checks.remove(compare)
    this.#failures.clear(watcher.workspaceId)
    if (this.#places.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #latest(workspaceId: number): number {
    return latestOf(this.#store.workspace(workspaceId))
  }

  #wakeAll(workspaceId: number): void {
    for (const { wake } of this.#places.get(workspaceId)?.watchers ?? []) this.soon(wake)
  }

  /** Reads the database outside of a request. If that fails, the next check reads it again. */
  #attempt(read: () => void, workspaceId?: number): void {
    try {
      read()
      this.#failures.clear(workspaceId)
    } catch (error) {
      this.#version = -1
      this.#failures.note(error, {}, workspaceId)
    }
  }

  /** The version of the access data also changes when another connection has written. */
  #check(): void {
    const version = this.#store.accessVersion
    const isChanged = version !== this.#version
    this.#version = version
    for (const { watchers, compare } of this.#places.values()) {
      if (isChanged) this.#checks.add(compare)
      for (const { check } of watchers) if (check) this.#checks.add(check)
    }
  }
}
