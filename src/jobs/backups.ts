import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, systemClock } from '../lib/clock.ts'
import { errorFields, log } from '../lib/log.ts'
import { makePrivateDirectory } from '../lib/make-directory.ts'
import { msOfStamp, stampOf } from '../lib/stamp.ts'
import { copyDatabase, unfinishedSuffix } from '../store/copy.ts'

export interface BackupPlan {
  directory: string
  everyMs: number
  /** The number of backups to keep. */
  keep: number
}

const ours = /^kontor-(\d{8}T\d{6}Z)\.db$/
const checkMsMax = 60_000

/** Backs up the database at `path` on a schedule that survives restarts. */
export function startBackups(path: string, plan: BackupPlan): { stop(): void } {
  const stopping = new AbortController()
  const backups = new Backups(path, plan)
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
      await backups.makeIfDue(stopping.signal)
    } catch (error) {
      if (!stopping.signal.aborted) log('the scheduled backup failed', errorFields(error), 'error')
    }
    if (!stopping.signal.aborted) timer = setTimeout(backUpWhenDue, Math.min(plan.everyMs, checkMsMax))
  }
}

/**
 * The schedule. The age of the newest backup is read from its name once, at the start; from then on the monotonic clock counts.
 * A backup from the future was made with a wrong clock: it does not count as the newest, and is removed first.
 */
export class Backups {
  readonly #path: string
  readonly #plan: BackupPlan
  readonly #clock: Clock
  /** When the next backup is due, by the monotonic clock; undefined until the first check. */
  #dueMs: number | undefined

  constructor(path: string, plan: BackupPlan, clock: Clock = systemClock) {
    this.#path = path
    this.#plan = plan
    this.#clock = clock
  }

  /** Makes a backup if one is due, and returns whether it was. Throws OperatorError, or the signal's reason. */
  async makeIfDue(signal?: AbortSignal): Promise<boolean> {
    const { directory, everyMs } = this.#plan
    makePrivateDirectory(directory)
    const begin = this.#clock.elapsed()
    this.#dueMs ??= begin + everyMs - this.#ageOfNewest()
    if (begin < this.#dueMs) return false
    const file = `kontor-${stampOf(this.#clock.now())}.db`
    const { bytes } = await copyDatabase(this.#path, join(directory, file), signal)
    this.#dueMs = begin + everyMs
    log('backed up', { file: join(directory, file), bytes, ms: Math.round(this.#clock.elapsed() - begin) })
    this.#prune(file)
    return true
  }

  #ageOfNewest(): number {
    const now = this.#clock.now()
    const ages = this.#names().map((name) => now - msOfName(name))
    return Math.min(...ages.filter((age) => age >= 0), Number.POSITIVE_INFINITY)
  }

  /** Removes unfinished backups and the oldest ones, but never the one just made. Other files stay. */
  #prune(made: string): void {
    const { directory, keep } = this.#plan
    const now = this.#clock.now()
    const isFromFuture = (name: string) => msOfName(name) > now
    const names = this.#names().filter((name) => name !== made)
    const oldestFirst = [...names.filter(isFromFuture), ...names.filter((name) => !isFromFuture(name))]
    const unfinished = readdirSync(directory).filter(
      (name) => name.endsWith(unfinishedSuffix) && ours.test(name.slice(0, -unfinishedSuffix.length)),
    )
    const surplus = oldestFirst.slice(0, Math.max(0, oldestFirst.length + 1 - keep))
    for (const name of [...surplus, ...unfinished]) rmSync(join(directory, name))
  }

  /** The backups by age, oldest first. */
  #names(): string[] {
    return readdirSync(this.#plan.directory)
      .filter((name) => ours.test(name))
      .sort()
  }
}

function msOfName(name: string): number {
  return msOfStamp(ours.exec(name)![1]!)
}
