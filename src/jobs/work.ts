import type { Worker } from 'node:worker_threads'
import type { Searched } from '../engine/list/search.ts'
import { errorFields, log } from '../lib/log.ts'
import { startThread } from '../packaging/embedded.ts'
import { type Doubt, isDoubtful } from '../store/durability.ts'
import type { Store } from '../store/store.ts'
import type { BackupPlan } from './backups.ts'
import { runBatch, type Turn } from './run-batch.ts'
import { takeTurns } from './take-turns.ts'

/** What the worker thread is told at its start. */
export interface WorkerInput {
  /** Of the database. */
  path: string
  /** While there is any, nothing is checkpointed. */
  doubt: Doubt
  /** Absent: none are made. */
  backups?: BackupPlan
  searched: Searched[]
  /** `Store.writeAsked` of the event loop's store. */
  writeAsked: Int32Array
  /** How far the store's clock is ahead of the system's. */
  aheadMs: number
}

/** To the worker thread: import a batch, or end. */
export type Order = { workspaceId: number; aheadMs: number } | 'stop'

/** From the worker thread: what became of the batch, or which workspaces have unfinished jobs. */
export type Report = { turn: Turn } | { unfinished: number[] }

export interface Work {
  stop(): Promise<void>
}

const restartMs = 1_000

/** Does in a thread of its own what may take long: imports, checkpoints, backups, retention, the search's index. A thread that dies is started again. */
export function startWork(store: Store, given: Omit<WorkerInput, 'writeAsked' | 'aheadMs'>): Work {
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  let settle: ((turn: Turn) => void) | undefined
  let worker: Worker | undefined
  const turns = takeTurns(store, order)
  start()
  return {
    async stop() {
      await turns.stop()
      stopping = true
      clearTimeout(timer)
      if (!worker) return
      const exited = new Promise((resolve) => worker!.once('exit', resolve))
      tell('stop')
      await exited
    },
  }

  async function order(workspaceId: number): Promise<Turn> {
    try {
      if (isDoubtful(given.doubt)) await store.confirm() // what is written behind a hole in the log is lost with it
    } catch {
      return 'unavailable'
    }
    if (!worker) return 'unavailable'
    return new Promise((resolve) => {
      settle = resolve
      tell({ workspaceId, aheadMs: aheadMs() })
    })
  }

  function aheadMs(): number {
    return store.clock.now() - Date.now()
  }

  function tell(message: Order): void {
    worker!.postMessage(message)
  }

  function onReport(report: Report): void {
    if ('turn' in report) settle?.(report.turn)
    else for (const workspaceId of report.unfinished) turns.add(workspaceId)
  }

  function start(): void {
    const input: WorkerInput = { ...given, writeAsked: store.writeAsked, aheadMs: aheadMs() }
    try {
      worker = startThread('worker', input)
    } catch (error) {
      failed(error)
      startLater()
      return
    }
    worker.on('message', onReport)
    worker.on('error', failed)
    worker.on('exit', () => {
      worker = undefined
      settle?.('broken')
      startLater()
    })
  }

  /** A thread may not start for lack of file descriptors or memory, which may be there again in a moment. */
  function startLater(): void {
    if (!stopping) timer = setTimeout(start, restartMs)
  }

  function failed(error: unknown): void {
    log('the worker thread failed', errorFields(error), 'error')
  }
}

/** Imports in turns of the event loop: for a database in memory, which no thread can share. */
export function startWorkHere(store: Store): Work {
  return takeTurns(store, (workspaceId) => runBatch(store, workspaceId))
}
