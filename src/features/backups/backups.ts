import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { backUp } from '../../content/back-up-content.ts'
import type { Contents } from '../../content/contents.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { errorFields, log } from '../../lib/log.ts'
import { makePrivateDirectory } from '../../lib/make-directory.ts'
import { msOfStamp, stampOf } from '../../lib/stamp.ts'

export interface BackupPlan {
  directory: string
  everyMs: number
  /** The number of scheduled backups to keep. */
  keep: number
  /** Whether content that is missing or damaged is left out; default: the backup fails. */
  withoutFiles?: boolean
}

/** What is backed up: a database, and the content to which it refers. */
interface Source {
  path: string
  contents: Contents
}

/** What is known of the backups. Times are milliseconds by the system clock. */
export interface BackupState {
  isRunning: boolean
  /** The newest one, scheduled or not. */
  last: { at: number; bytes: number } | null
  nextAt: number
  /** Whether the latest attempt failed. */
  hasFailed: boolean
}

/** A scheduled backup, or one that a user asked for. */
const ours = /^kontor-(\d{8}T\d{6}Z)(-manual)?\.db$/
const unfinished = /^kontor-\d{8}T\d{6}Z(?:-manual)?\.db\.unfinished(?:\.lock)?(?:-journal|-wal|-shm)?$/
const checkMsMax = 60_000

interface RunningBackups {
  /** Makes a backup, unless one is being made. */
  makeNow(): Promise<void>
  stop(): void
}

/** Backs up on a schedule that survives restarts. `report` gets the state after each change. */
export function startBackups(source: Source, plan: BackupPlan, report: (state: BackupState) => void): RunningBackups {
  const stopping = new AbortController()
  const backups = new Backups(source, plan)
  let timer: NodeJS.Timeout | undefined
  let isRunning = false
  let hasFailed = false
  backUpWhenDue()
  return {
    makeNow: () => attempt('the backup failed', () => backups.makeNow(stopping.signal)),
    stop() {
      clearTimeout(timer)
      stopping.abort()
    },
  }

  async function backUpWhenDue(): Promise<void> {
    await attempt('the scheduled backup failed', () => backups.makeIfDue(stopping.signal))
    const waitMs = backups.untilDueMs() || plan.everyMs // one that is due has failed, or another one is being made
    if (!stopping.signal.aborted) timer = setTimeout(backUpWhenDue, Math.min(waitMs, checkMsMax))
  }

  async function attempt(failure: string, make: () => Promise<boolean>): Promise<void> {
    if (isRunning) return
    isRunning = true
    tell()
    try {
      if (await make()) hasFailed = false
    } catch (error) {
      if (stopping.signal.aborted) return
      hasFailed = true
      log(failure, errorFields(error), 'error')
    }
    isRunning = false
    tell()
  }

  function tell(): void {
    report({ isRunning, hasFailed, ...backups.state() })
  }
}

/**
 * The schedule. The age of the newest backup is read from its name once, at the start; from then on the monotonic clock counts.
 * A backup from the future was made with a wrong clock: it does not count as the newest, and is removed first.
 * A backup that a user asked for replaces the previous one of its kind, and leaves the schedule and its backups as they are.
 */
export class Backups {
  readonly #source: Source
  readonly #plan: BackupPlan
  readonly #clock: Clock
  /** When the next backup is due, by the monotonic clock; undefined until the first check. */
  #dueMs: number | undefined

  constructor(source: Source, plan: BackupPlan, clock: Clock = systemClock) {
    this.#source = source
    this.#plan = plan
    this.#clock = clock
  }

  /** Makes a backup if one is due, and returns whether it was. Throws OperatorError, or the signal's reason. */
  async makeIfDue(signal?: AbortSignal): Promise<boolean> {
    const { directory, everyMs, keep } = this.#plan
    makePrivateDirectory(directory)
    const begin = this.#clock.elapsed()
    this.#dueMs ??= begin + everyMs - this.#ageOfNewest()
    if (begin < this.#dueMs) return false
    const file = await this.#make('', signal)
    this.#dueMs = begin + everyMs
    this.#prune('scheduled', file, keep)
    return true
  }

  /** Makes a backup that a user asked for. Returns true. Throws as `makeIfDue`. */
  async makeNow(signal?: AbortSignal): Promise<true> {
    makePrivateDirectory(this.#plan.directory)
    this.#prune('manual', await this.#make('-manual', signal), 1)
    return true
  }

  /** How long until the next scheduled backup is due, in milliseconds; 0: it is. */
  untilDueMs(): number {
    const now = this.#clock.elapsed()
    return Math.max(0, (this.#dueMs ?? now) - now)
  }

  /** A directory that cannot be read has no backups. */
  state(): Pick<BackupState, 'last' | 'nextAt'> {
    const now = this.#clock.now()
    const nextAt = now + this.untilDueMs()
    try {
      const name = this.#names().findLast((each) => msOfName(each) <= now)
      if (!name) return { last: null, nextAt }
      return { last: { at: msOfName(name), bytes: statSync(join(this.#plan.directory, name)).size }, nextAt }
    } catch {
      return { last: null, nextAt }
    }
  }

  /** Returns the name of the file. */
  async #make(suffix: '' | '-manual', signal: AbortSignal | undefined): Promise<string> {
    const begin = this.#clock.elapsed()
    const name = `kontor-${stampOf(this.#clock.now())}${suffix}.db`
    const file = join(this.#plan.directory, name)
    const { path, contents: from } = this.#source
    this.#removeUnfinished()
    const { withoutFiles } = this.#plan
    const replaces = true // one of the same second
    const { bytes } = await backUp(path, file, { from, withoutFiles, replaces, signal })
    log('backed up', { file, bytes, ms: Math.round(this.#clock.elapsed() - begin) })
    return name
  }

  #ageOfNewest(): number {
    const now = this.#clock.now()
    const ages = this.#names('scheduled').map((name) => now - msOfName(name))
    return Math.min(...ages.filter((age) => age >= 0), Number.POSITIVE_INFINITY)
  }

  /** Removes what backups that were killed have left, so that there is room for the next one. */
  #removeUnfinished(): void {
    const { directory } = this.#plan
    for (const name of readdirSync(directory)) if (unfinished.test(name)) rmSync(join(directory, name))
  }

  /** Removes the oldest backups of a kind, but never the one just made. Other files stay. */
  #prune(kind: Kind, made: string, keep: number): void {
    const { directory } = this.#plan
    const now = this.#clock.now()
    const isFromFuture = (name: string) => msOfName(name) > now
    const names = this.#names(kind).filter((name) => name !== made)
    const oldestFirst = [...names.filter(isFromFuture), ...names.filter((name) => !isFromFuture(name))]
    const surplus = oldestFirst.slice(0, Math.max(0, oldestFirst.length + 1 - keep))
    for (const name of surplus) rmSync(join(directory, name))
  }

  /** The backups by age, oldest first. */
  #names(kind?: Kind): string[] {
    return readdirSync(this.#plan.directory)
      .filter((name) => ours.test(name) && (!kind || kindOf(name) === kind))
      .sort()
  }
}

type Kind = 'scheduled' | 'manual'

function kindOf(name: string): Kind {
  return ours.exec(name)![2] ? 'manual' : 'scheduled'
}

function msOfName(name: string): number {
  return msOfStamp(ours.exec(name)![1]!)
}
