import { catchUpHere } from '../changes/readers/keep-up.ts'
import type { ContentsSetting } from '../content/contents.ts'
import type { Searched } from '../engine/finding/list/search.ts'
import type { BackupDesk } from '../features/backups/backup-desk.ts'
import type { BackupPlan, BackupState } from '../features/backups/backups.ts'
import { runBatch, type Turn } from '../features/imports/run-batch.ts'
import { type Turns, takeTurns } from '../features/imports/take-turns.ts'
import { batchReaders, logged } from '../features/index.ts'
import { errorFields, log } from '../lib/log.ts'
import { Thread } from '../lib/thread.ts'
import { startThread } from '../packaging/embedded.ts'
import { changed } from '../store/change-log.ts'
import type { DiskFault } from '../store/constraint.ts'
import { isSuspect, type LogState } from '../store/durability.ts'
import type { WaitingErasures } from '../store/erasure-watch.ts'
import type { Store } from '../store/store.ts'

/** The input of the worker thread. */
export interface WorkerInput {
  /** The path of the database. */
  path: string
  /** The state of the log. While it is suspect, nothing is checkpointed. */
  logState: LogState
  /** The schedule of backups; default: none. */
  backups?: BackupPlan
  /** How long changes are kept in milliseconds; default: forever. */
  changesKeepMs?: number
  searched: Searched[]
  checkpoints: boolean
  /** Where content is, for backups. */
  contents?: ContentsSetting
  /** `Store.writeAsked` of the event loop's store. */
  writeAsked: Int32Array
  /** How many milliseconds the store's clock is ahead of the system's. */
  aheadMs: number
}

/** A message to the worker thread: import a batch, make a backup, or end. */
export type Order = { workspaceId: number; aheadMs: number } | 'back up' | 'stop'

/**
 * A message from the worker thread: the result of the batch, the workspaces with unfinished jobs, those that have changed, on disk, the state
 * of the backups, or why the disk refused a write, or the
 * erasures that wait for a checkpoint.
 */
export type Report =
  | { turn: Turn }
  | { unfinished: number[] }
  | { changed: number[] }
  | { backups: BackupState }
  | { diskFault: DiskFault }
  | { erasures: WaitingErasures }

interface WorkOptions extends Pick<WorkerInput, 'path' | 'logState' | 'changesKeepMs' | 'searched' | 'contents'> {
  /** Default: no backups. */
  backups?: BackupDesk
  /** Called after each commit of the worker thread; what it has done is announced when this has resolved. Default: at once. */
  confirm?: (() => Promise<void>) | undefined
  /** Called each second with the erasures of which the database's files may still have something. */
  onErasures?: (waiting: WaitingErasures) => void
  /** Whether the worker thread checkpoints. Default: yes. */
  checkpoints?: boolean
}

export interface Work {
  stop(): Promise<void>
}

const restartMs = 1_000

/** Runs imports, checkpoints, backups, retention and the search index on a thread of its own. A thread that dies is started again. */
export function startWork(store: Store, { backups, confirm, onErasures = () => {}, ...given }: WorkOptions): Work {
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  let settle: ((turn: Turn) => void) | undefined
  let thread: Thread<Order, Report> | undefined
  const turns = takeTurns(store, order)
  backups?.connect(() => thread?.post('back up'))
  start()
  return {
    async stop() {
      await turns.stop()
      stopping = true
      clearTimeout(timer)
      await thread?.end('stop')
    },
  }

  async function order(workspaceId: number): Promise<Turn> {
    try {
      if (isSuspect(given.logState)) await store.confirm() // a power cut would lose what follows a gap in the log
    } catch {
      return 'unavailable'
    }
    if (!thread) return 'unavailable'
    const { promise, resolve } = Promise.withResolvers<Turn>()
    settle = resolve
    thread.post({ workspaceId, aheadMs: aheadMs() })
    return promise
  }

  function aheadMs(): number {
    return store.clock.now() - Date.now()
  }

  function onReport(report: Report): void {
    if (confirm) {
      confirm().then(
        () => take(report),
        () => take('turn' in report ? { turn: 'unavailable' } : report),
      )
    } else take(report)
  }

  function take(report: Report): void {
    if ('turn' in report) settle?.(report.turn)
    else if ('backups' in report) backups!.update(report.backups)
    else if ('diskFault' in report) store.disk.raise(report.diskFault)
    else if ('erasures' in report) waitingErasures(report.erasures)
    else if ('changed' in report) for (const workspaceId of report.changed) store.announce(changed, workspaceId)
    else for (const workspaceId of report.unfinished) turns.add(workspaceId)
  }

  /** A log that is suspect cannot be truncated, and may stay suspect until something is written. */
  function waitingErasures(waiting: WaitingErasures): void {
    onErasures(waiting)
    if (waiting.count > 0 && isSuspect(given.logState)) void store.confirm().catch(() => {})
  }

  function start(): void {
    const input: WorkerInput = {
      ...given,
      checkpoints: given.checkpoints ?? true,
      ...(backups && { backups: backups.plan }),
      writeAsked: store.writeAsked,
      aheadMs: aheadMs(),
    }
    try {
      thread = new Thread(startThread('worker', input), { onReport, onError: failed, onExit })
    } catch (error) {
      failed(error)
      startLater()
    }
  }

  function onExit(): void {
    thread = undefined
    settle?.('broken')
    startLater()
  }

  /** A thread that cannot start for lack of file descriptors or memory may be able to in a moment. */
  function startLater(): void {
    if (!stopping) timer = setTimeout(start, restartMs)
  }

  function failed(error: unknown): void {
    log('the worker thread failed', errorFields(error), 'error')
  }
}

/** Imports and reads the log on the event loop: threads cannot share a database in memory. */
export function startWorkHere(store: Store): Turns & { caughtUp(): Promise<void> } {
  const turns = takeTurns(store, (workspaceId) => runBatch(store, logged, workspaceId))
  const reading = catchUpHere(store, batchReaders)
  return {
    ...turns,
    /** Resolves when what follows from the changes so far is stored. */
    caughtUp: reading.idle,
    stop: async () => {
      await Promise.all([turns.stop(), reading.stop()])
    },
  }
}
