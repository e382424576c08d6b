import { closeSync, existsSync, fdatasyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { ApiError, OperatorError } from '../errors.ts'
import { syncDirectory } from './durability.ts'
import { giveName } from './give-name.ts'
import { claim } from './lock.ts'
import { type Connection, damaged, logEndings, openConnection, requireFile } from './open.ts'
import { giveToOwner } from './owner.ts'

/** Marks the file of a copy that is not complete yet, or that a crash interrupted. */
export const unfinishedSuffix = '.unfinished'

const stepPages = 256
/** The pause in milliseconds after each step, so that the server can use the disk: at most 100 MiB are copied per second. */
const pauseMs = 8
/** Frequent syncs keep each of them short, because the server's own syncs wait for them. */
const syncEverySteps = 16

/** Brings what belongs to a copy of a database. Called with the path of the copy, which does not have its name yet. */
export type BringContent = (unfinished: string) => Promise<unknown>

interface Copying {
  bringContent?: BringContent | undefined
  /** Whether the copy may replace a file; default: no, which is an error. */
  replaces?: boolean | undefined
  signal?: AbortSignal | undefined
}

/**
 * Copies the database at `source` to `target` in one read transaction; others may write meanwhile. The copy has its name
 * only when it is complete, with its content, checked and on disk. Throws OperatorError, the signal's reason, or what `bringContent` throws to a
 * client.
 */
export async function copyDatabase(
  source: string,
  target: string,
  { bringContent, replaces, signal }: Copying = {},
): Promise<{ bytes: number }> {
  const db = openExisting(source)
  try {
    const copy = async (unfinished: string) => {
      // The transaction stays open: without it, every write of another connection would restart the copy.
      db.exec('BEGIN; SELECT 1 FROM sqlite_schema')
      await copyPages(db, unfinished, signal)
      db.exec('COMMIT')
    }
    return await createCopy(target, copy, { source, bringContent, replaces })
  } catch (error) {
    if (error instanceof OperatorError || error instanceof ApiError || signal?.aborted) throw error
    throw new OperatorError(`Cannot copy ${source} to ${target}: ${(error as Error).message}.`, { cause: error })
  } finally {
    db.close()
  }
}

interface Creation extends Omit<Copying, 'signal'> {
  /** The database that is damaged if the copy is; default: `target`. */
  source?: string
}

/**
 * Creates a database that `make` writes to another file: it has its name only when it is complete, with its content, checked and on disk. What is
 * interrupted before can be repeated.
 */
export async function createCopy(
  target: string,
  make: (unfinished: string) => Promise<void>,
  { source = target, bringContent = async () => {}, replaces = false }: Creation = {},
): Promise<{ bytes: number }> {
  requireNoLog(target)
  const unfinished = `${target}${unfinishedSuffix}`
  const release = claim(unfinished)
  try {
    removeDatabase(unfinished)
    await make(unfinished)
    seal(unfinished, source)
    await bringContent(unfinished)
    giveToOwner(unfinished)
    if (replaces) renameSync(unfinished, target)
    else giveName(unfinished, target)
    syncDirectory(dirname(target))
    return { bytes: statSync(target).size }
  } catch (error) {
    removeDatabase(unfinished)
    throw error
  } finally {
    release()
  }
}

/** Throws OperatorError if a log of another database is there, which SQLite would apply to this one. */
function requireNoLog(target: string): void {
  const [log] = logsBeside(target)
  if (log !== undefined)
    throw new OperatorError(`${log} belongs to another database: remove it, or choose another name.`)
}

/** Opens an existing database. Throws OperatorError. */
export function openExisting(path: string): Connection {
  requireFile(path)
  return openConnection(path, { busyTimeoutMs: 5_000, synchronous: 'FULL' })
}

async function copyPages(db: Connection, path: string, signal: AbortSignal | undefined): Promise<void> {
  let steps = 0
  await db.backup(path, {
    progress() {
      signal?.throwIfAborted()
      if (++steps % syncEverySteps === 0) syncFile(path)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
      return stepPages
    },
  })
}

/** Makes the copy of `source` a single file without a log, checks it and syncs it. */
function seal(path: string, source: string): void {
  const db = openExisting(path)
  try {
    db.pragma('journal_mode = DELETE')
    const found = db.pragma('quick_check(1)', { simple: true }) as string
    if (found !== 'ok') throw damaged(source, { finding: found })
  } finally {
    db.close()
  }
  syncFile(path)
}

function syncFile(path: string): void {
  const fd = openSync(path, 'r+')
  try {
    fdatasyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** The logs that lie beside a database, or beside where it was. */
export function logsBeside(path: string): string[] {
  return logEndings.map((ending) => path + ending).filter((log) => existsSync(log))
}

/** Removes a file with what SQLite has put beside it. */
export function removeDatabase(path: string): void {
  for (const suffix of ['', ...logEndings, '-shm']) rmSync(`${path}${suffix}`, { force: true })
}
