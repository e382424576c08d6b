import { closeSync, existsSync, fdatasyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { OperatorError } from '../errors.ts'
import { syncDirectory } from './durability.ts'
import { type Connection, openConnection } from './open.ts'
import { giveToOwner } from './owner.ts'

/** Of a copy that is not whole yet, or that a crash cut short. */
export const unfinishedSuffix = '.unfinished'

const stepPages = 256
/** Leaves the disk to the server between two steps: some 100 MiB a second at most. */
const pauseMs = 8
/** So that the disk never has much to do at once, which the server's own syncs would have to wait for. */
const syncEverySteps = 16

/**
 * Copies the database at `source`, whole and as of one moment, to `target`, also while others write to it. The copy is checked
 * and on the disk when it takes its name; until then, what lay there stays. Throws OperatorError, or the signal's reason.
 */
export async function copyDatabase(source: string, target: string, signal?: AbortSignal): Promise<{ bytes: number }> {
  const unfinished = `${target}${unfinishedSuffix}`
  const db = openExisting(source)
  try {
    removeDatabase(unfinished)
    // A transaction that stays open: without it, every write of another connection would begin the copy anew.
    db.exec('BEGIN; SELECT 1 FROM sqlite_schema')
    await copyPages(db, unfinished, signal)
    db.exec('COMMIT')
    seal(unfinished)
    giveToOwner(unfinished)
    renameSync(unfinished, target)
    syncDirectory(dirname(target))
    return { bytes: statSync(target).size }
  } catch (error) {
    removeDatabase(unfinished)
    if (error instanceof OperatorError || signal?.aborted) throw error
    throw new OperatorError(`Cannot copy ${source} to ${target}: ${(error as Error).message}.`, { cause: error })
  } finally {
    db.close()
  }
}

/** Opens a database that must be there already. Throws OperatorError. */
export function openExisting(path: string): Connection {
  if (!existsSync(path)) throw new OperatorError(`There is no database ${path}.`)
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

/** Makes it one file without a log beside it, sound and on the disk. */
function seal(path: string): void {
  const db = openExisting(path)
  try {
    db.pragma('journal_mode = DELETE')
    const found = db.pragma('quick_check(1)', { simple: true })
    if (found !== 'ok') throw new OperatorError(`The database is damaged, its copy is not kept: ${found}.`)
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

function removeDatabase(path: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
}
