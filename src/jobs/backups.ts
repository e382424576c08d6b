import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { errorFields, log } from '../lib/log.ts'
import { msOfStamp, stampOf } from '../lib/stamp.ts'
import { copyDatabase, unfinishedSuffix } from '../store/copy.ts'

export interface BackupPlan {
  directory: string
  everyMs: number
  /** How many backups are kept. */
  keep: number
}

const ours = /^kontor-(\d{8}T\d{6}Z)\.db$/
const checkMsMax = 60_000

/** Backs the database at `path` up whenever the newest backup in the directory is old enough, also over restarts. */
export function startBackups(path: string, plan: BackupPlan): { stop(): void } {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  backUpWhenDue()
  return {
    stop() {
      clearTimeout(timer)
      stopping.abort()
    },
  }

  async function backUpWhenDue(): Promise<void> {
    try {
      await backUpIfDue(path, plan, stopping.signal)
    } catch (error) {
      if (!stopping.signal.aborted) log('the scheduled backup failed', errorFields(error), 'error')
    }
    if (!stopping.signal.aborted) timer = setTimeout(backUpWhenDue, Math.min(plan.everyMs, checkMsMax))
  }
}

async function backUpIfDue(path: string, { directory, everyMs, keep }: BackupPlan, signal: AbortSignal): Promise<void> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const now = Date.now()
  const newest = backupsIn(directory).at(-1)
  if (newest && now - msOfStamp(ours.exec(newest)![1]!) < everyMs) return
  const file = join(directory, `kontor-${stampOf(now)}.db`)
  const { bytes } = await copyDatabase(path, file, signal)
  log('backed up', { file, bytes, ms: Date.now() - now })
  prune(directory, keep)
}

/** Oldest first. */
function backupsIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => ours.test(name))
    .sort()
}

/** Removes the oldest, and what a crash cut short. Files of other names are left alone. */
function prune(directory: string, keep: number): void {
  const cutShort = readdirSync(directory).filter(
    (name) => name.endsWith(unfinishedSuffix) && ours.test(name.slice(0, -unfinishedSuffix.length)),
  )
  for (const name of [...backupsIn(directory).slice(0, -keep), ...cutShort]) rmSync(join(directory, name))
}
