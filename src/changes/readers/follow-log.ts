import { setTimeout as delay } from 'node:timers/promises'
import { FailureLog } from '../../lib/failure-log.ts'
import { onAccessChange } from '../../store/on-access-change.ts'
import type { Store } from '../../store/store.ts'
import type { ChangeHub } from '../hub.ts'
import { latestOf } from '../stored-change.ts'
import { DoneQueue } from './done-queue.ts'
import { type Done, type LogConsumer, type LogReader, workspacesOf } from './log-reader.ts'

const restartMs = 1_000

/** `onEnd` is called when the consumer has ended by itself: another one begins. */
type StartConsumer<D extends Done> = (done: DoneQueue<D>, onEnd: () => void) => LogConsumer

interface Following {
  /** Tells the consumer of all changes so far. */
  tellAll(): Promise<void>
  stop(): Promise<void>
}

/**
 * Runs a reader of the log. Its consumer runs while the reader has a position in any workspace, and learns which changes are on disk. With
 * `looks`, positions that another process adds are found within a second.
 */
export function followLog<D extends Done>(
  store: Store,
  hub: ChangeHub,
  reader: LogReader<D>,
  { start, looks }: { start: StartConsumer<D>; looks: boolean },
): Following {
  /** By workspace in which the reader has a position. */
  const watched = new Map<number, Watched>()
  const done = new DoneQueue(store, reader)
  const failures = {
    positions: new FailureLog('a reader of the log failed: its positions could not be read'),
    changes: new FailureLog('a reader of the log failed: changes could not be passed on'),
  }
  const unreadable = (error: unknown) => failures.positions.note(error, { reader: reader.name })
  let consumer: LogConsumer | undefined
  let ending: Promise<void> | undefined
  const stopping = new AbortController()
  for (const topic of reader.changed) {
    store.listen(topic, (workspaceId) => {
      look()
      consumer?.load(workspaceId)
    })
  }
  look()
  const endLooks = looks ? onAccessChange(store, look, unreadable) : undefined
  return {
    async tellAll() {
      await Promise.all([...watched.values()].map(({ tell }) => tell()))
    },
    async stop() {
      endLooks?.()
      stopping.abort()
      for (const { end } of watched.values()) end()
      await Promise.all([ending, consumer?.stop(), done.close()])
      await done.close() // what the consumer has done last
    },
  }

  /** Watches the workspaces in which the reader has a position. A consumer runs while there are any. */
  function look(): void {
    if (stopping.signal.aborted) return
    const read = new Set(workspacesOf(reader, store.access))
    for (const [workspaceId, { end }] of watched) {
      if (read.has(workspaceId)) continue
      end()
      watched.delete(workspaceId)
      consumer?.load(workspaceId)
    }
    if (ending) return
    if (read.size > 0) consumer ??= begin()
    else if (consumer) ending = beginLater(consumer.stop())
    for (const workspaceId of read) if (!watched.has(workspaceId)) watch(workspaceId)
    failures.positions.clear()
  }

  function begin(): LogConsumer {
    const begun = start(done, () => {
      if (consumer === begun) startAgain()
    })
    return begun
  }

  /** The next consumer begins when everything that this one has done is stored: it would do it again. */
  async function beginLater(ended: Promise<unknown>): Promise<void> {
    consumer = undefined
    await ended
    await done.drained()
    ending = undefined
    if (!attempt(look, unreadable)) ending = beginLater(restartDelay())
  }

  function restartDelay(): Promise<void> {
    return delay(restartMs, undefined, stopping).catch(() => {})
  }

  function watch(workspaceId: number): void {
    consumer?.load(workspaceId)
    const tellers = {
      load: () => consumer?.load(workspaceId),
      changed: (newest: number) => consumer?.changed(workspaceId, newest),
    }
    watched.set(workspaceId, watchWorkspace(workspaceId, { store, hub, reader, failures, ...tellers }))
  }

  /** The consumer has failed. What it has not reported is done again. */
  function startAgain(): void {
    for (const { end } of watched.values()) end()
    watched.clear()
    ending = beginLater(restartDelay())
  }
}

interface Watched {
  /** Tells of all changes so far, once they are on disk. Never rejects. */
  tell(): Promise<void>
  end(): void
}

interface Watching {
  store: Store
  hub: ChangeHub
  reader: LogReader<never>
  failures: { positions: FailureLog; changes: FailureLog }
  load(): void
  changed(newest: number): void
}

/** Tells of each change of a workspace, and when the reader begins or ceases to read it. */
function watchWorkspace(workspaceId: number, { store, hub, reader, failures, load, changed }: Watching): Watched {
  const watcher = { workspaceId, latest: 0, wake: () => void tell(), check }
  const workspace = store.workspace(workspaceId)
  let version = store.accessVersion
  let wasRead = reader.isRead(workspace)
  let [isMissed, isEnded] = [false, false]
  const leave = hub.watch(watcher)
  return { tell, end }

  async function tell(): Promise<void> {
    isMissed = false
    try {
      checkRead()
      const latest = latestOf(workspace)
      watcher.latest = latest
      await store.changesSynced(workspaceId, latest)
      changed(latest)
      failures.changes.clear(workspaceId)
    } catch (error) {
      if (isEnded) return
      isMissed = true // the next check tells again
      failures.changes.note(error, { reader: reader.name }, workspaceId)
    }
  }

  function check(): void {
    if (isMissed) void tell()
    else attempt(checkRead, (error) => failures.positions.note(error, { reader: reader.name }, workspaceId))
  }

  function checkRead(): void {
    if (version === store.accessVersion) return
    const isRead = reader.isRead(workspace)
    version = store.accessVersion
    if (wasRead !== isRead) load()
    wasRead = isRead
    failures.positions.clear(workspaceId)
  }

  function end(): void {
    isEnded = true
    leave()
    for (const failure of Object.values(failures)) failure.clear(workspaceId)
  }
}

/** Returns false if the database cannot be read now. */
function attempt(read: () => void, unreadable: (error: unknown) => void): boolean {
  try {
    read()
    return true
  } catch (error) {
    unreadable(error)
    return false
  }
}
