import type { Searched } from '../engine/search.ts'
import { errorFields, log } from '../lib/log.ts'
import { startThread } from '../packaging/embedded.ts'
import type { Doubt } from '../store/durability.ts'
import type { BackupPlan } from './backups.ts'

/** What the worker thread is told at its start. */
export interface WorkerInput {
  /** Of the database. */
  path: string
  /** While there is any, nothing is checkpointed. */
  doubt: Doubt
  /** Absent: none are made. */
  backups?: BackupPlan
  searched: Searched[]
}

const restartMs = 1_000

/** Keeps the worker thread running: one that dies is started again. */
export function startWork(input: WorkerInput): { stop(): Promise<void> } {
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  let worker = start()
  return {
    async stop() {
      stopping = true
      clearTimeout(timer)
      if (worker.threadId === -1) return
      worker.postMessage('stop')
      await new Promise((resolve) => worker.once('exit', resolve))
    },
  }

  function start() {
    const started = startThread('worker', input)
    started.on('error', (error) => log('worker thread failed', errorFields(error)))
    started.on('exit', () => {
      if (stopping) return
      timer = setTimeout(() => {
        worker = start()
      }, restartMs)
    })
    return started
  }
}
