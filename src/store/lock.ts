import { closeSync, existsSync, fstatSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { OperatorError } from '../errors.ts'
import { isBusy } from './constraint.ts'
import { openError } from './open.ts'
import { createFile } from './owner.ts'

/** How long, in milliseconds, a process that has been killed may take to end, and one that only looks at the lock may hold it. */
const endingMsMax = 10_000
const runningMsMax = 500
const lookMs = 25

/**
 * Takes an exclusive lock of the operating system, through a SQLite file. It ends with the process, even after a crash. Waits for another
 * process that ends; blocks the thread meanwhile. `msMax`: how long it waits for one that runs. Throws OperatorError.
 */
export function lock(directory: string, msMax = runningMsMax): () => void {
  if (!existsSync(directory)) throw new OperatorError(`There is no data directory at ${directory}.`)
  const path = lockPath(directory)
  let runningMs = 0
  for (let waitedMs = 0; ; waitedMs += lookMs) {
    const release = tryToLock(path)
    if (release) return release
    runningMs = isOwnerRunning(path) ? runningMs + lookMs : 0
    if (runningMs > msMax || waitedMs >= endingMsMax) {
      throw new OperatorError(`A Kontor server is already running on ${directory}: stop it first.`)
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lookMs)
  }
}

/** Whether a server, or a command that must be alone, uses the directory. */
export function isLocked(directory: string): boolean {
  const release = lockIfFree(directory)
  release?.()
  return release === undefined
}

/** As `lock`, if nobody uses the directory. */
export function lockIfFree(directory: string): (() => void) | undefined {
  try {
    return tryToLock(lockPath(directory))
  } catch {
    return undefined
  }
}

/** The file by which a server keeps others from its directory. */
export function lockPath(directory: string): string {
  return join(directory, 'kontor.lock')
}

/**
 * Keeps another process from writing the same file, such as a backup of the same name, until the returned function is called. Throws
 * OperatorError if one does.
 */
export function claim(path: string): () => void {
  const own = `${path}${claimSuffix}`
  if (claimed.has(own)) throw isTaken(path) // to open and close its file again would end its lock
  for (let attempt = 0; attempt < claimsMax; attempt++) {
    createFile(own)
    const fd = openToRead(own)
    if (fd === undefined) continue
    const lock = lockOf(own)
    const isSame = inodeOf(own) === fstatSync(fd).ino // whoever has held the lock removes its file
    if (isSame && typeof lock === 'function') {
      claimed.add(own)
      return () => {
        claimed.delete(own)
        rmSync(own, { force: true })
        lock()
        closeSync(fd)
      }
    }
    if (typeof lock === 'function') lock()
    closeSync(fd)
    if (isSame && lock === 'taken') throw isTaken(path)
    if (isSame) break
  }
  return () => {} // the file cannot be written either: that says why
}

/** The files of the locks that this thread has. */
const claimed = new Set<string>()
/** How often a claim is tried while others remove the file of their lock. */
const claimsMax = 1_000

function isTaken(path: string): OperatorError {
  const remedy = 'try again when it has ended, or choose another name'
  return new OperatorError(`Another command is writing ${path}: ${remedy}.`)
}

function openToRead(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch {
    return undefined
  }
}

/** A function that ends the lock, or why there is none. */
function lockOf(path: string): (() => void) | 'taken' | 'failed' {
  try {
    return tryToLock(path) ?? 'taken'
  } catch {
    return 'failed'
  }
}

/** Of the lock beside a file that is being written. */
const claimSuffix = '.lock'

/** Returns undefined if another connection holds the lock. */
function tryToLock(path: string): (() => void) | undefined {
  let db: Database.Database | undefined
  createFile(path)
  try {
    db = new Database(path, { timeout: 0 })
    db.exec('BEGIN EXCLUSIVE')
    return () => db!.close()
  } catch (error) {
    db?.close()
    if (isBusy(error)) return undefined
    throw openError(path, error)
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}

/** In the mask of a process's pending signals. */
const killBit = 1n << 8n
/** In its flags: it is ending (PF_EXITING). */
const exitingFlag = 4
const endedStates = ['Z', 'X']

/**
 * Whether the process that holds a lock on this file runs, and has not been killed. A process that has been killed holds its locks until its
 * memory has been freed and what it writes has ended. Undefined: that cannot be known, as on systems other than Linux.
 */
function isOwnerRunning(path: string): boolean | undefined {
  try {
    const { ino } = statSync(path)
    const lock = readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .find((fields) => fields[1] === 'POSIX' && fields[3] === 'WRITE' && fields[5]?.endsWith(`:${ino}`))
    return lock && isRunning(lock[4]!)
  } catch {
    return undefined
  }
}

/** Undefined: there is no such process any more, or it is one of another container. */
function isRunning(pid: string): boolean | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const flags = Number(fields[5])
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const pending = [...status.matchAll(/^(?:SigPnd|ShdPnd):\s*([0-9a-f]+)$/gm)].map(([, mask]) => BigInt(`0x${mask}`))
  return !(endedStates.includes(state!) || flags & exitingFlag || pending.some((mask) => mask & killBit))
}
