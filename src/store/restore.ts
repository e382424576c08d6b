import { existsSync, linkSync, realpathSync, renameSync } from 'node:fs'
import { OperatorError } from '../errors.ts'
import { findDamage } from './check.ts'
import { refuseCompanyFile } from './company-file.ts'
import { isBusy } from './constraint.ts'
import { copyDatabase, logsBeside, openExisting, removeDatabase } from './copy.ts'
import { databasePath, makeDirectory } from './directory.ts'
import { syncDirectory } from './durability.ts'
import { lock } from './lock.ts'
import { requireOurs } from './migrate.ts'
import { type Connection, damaged, logEndings } from './open.ts'
import { copyOwnership } from './owner.ts'
import type { Schema } from './shape.ts'

interface Restoring extends Schema {
  stamp: string
  /** Brings what belongs to the database, when its copy has been checked. */
  bringContent?: () => Promise<unknown>
  /** Called before the old database is touched. What it returns is called if that stays. */
  leaveLog?: (() => () => void) | undefined
}

/**
 * Replaces the directory's database by a copy of `file`. The old database, or what is left of it, stays next to it; its new name is returned.
 * Throws OperatorError if a server runs on the directory, and for a file that is damaged or not Kontor's.
 */
export async function restore(
  directory: string,
  file: string,
  { stamp, bringContent = async () => {}, leaveLog = () => () => {}, ...schema }: Restoring,
): Promise<{ kept: string | undefined }> {
  const path = databasePath(directory)
  const copy = `${path}.restored`
  requireOther(file, path, 'the database itself')
  requireOther(file, copy, 'what a restore that was killed has left: give it another name first')
  openExisting(file).close() // before a directory is made
  makeDirectory(directory)
  const release = lock(directory)
  try {
    removeDatabase(copy) // SQLite would apply the journal that a killed restore has left to this copy
    await copyDatabase(file, copy)
    prepareCopy(copy, file, schema)
    await bringContent()
    if (existsSync(path)) copyOwnership(copy, path)
    const { kept, unlock } = orElse(leaveLog(), () => keep(path, freeName(`${path}.before-restore-${stamp}`)))
    try {
      renameSync(copy, path)
    } finally {
      unlock()
    }
    syncDirectory(directory)
    return { kept }
  } finally {
    removeDatabase(copy)
    release()
  }
}

/** Calls `takeBack` if `run` throws. */
function orElse<T>(takeBack: () => void, run: () => T): T {
  try {
    return run()
  } catch (error) {
    takeBack()
    throw error
  }
}

function requireOther(file: string, own: string, what: string): void {
  if (existsSync(file) && existsSync(own) && realpathSync(file) === realpathSync(own)) {
    throw new OperatorError(`${file} is ${what}.`)
  }
}

/** Gives the logs of changes other names: the numbers after the backup will be given again (decision G7). An older schema has no logs. */
function renameLogs(db: Connection): void {
  db.exec("UPDATE setting SET value = lower(hex(randomblob(32))) WHERE name = 'log_origin'")
  db.exec("DELETE FROM setting WHERE name GLOB 'log_id *'") // names that were moved with a company
}

/** Throws OperatorError if the copy cannot be used. */
function prepareCopy(copy: string, file: string, schema: Schema): void {
  const db = openExisting(copy)
  try {
    requireOurs(db, file, schema.steps)
    refuseCompanyFile(db, file)
    const [damage] = findDamage(db, schema)
    if (damage) throw damaged(file, { finding: damage })
    renameLogs(db)
  } finally {
    db.close()
  }
}

/** Returns a name that no file has: another restore in the same second may have used `path`. */
function freeName(path: string): string {
  for (let number = 2, name = path; ; number++) {
    if (!existsSync(name) && logsBeside(name).length === 0) return name
    name = `${path}-${number}`
  }
}

/** What stays of the old database, and the end of its lock. */
interface Kept {
  /** The name; if the database is gone, of its log. */
  kept: string | undefined
  unlock(): void
}

/** Adds a second name to the file, so that there is a database at every moment: a server that starts without one creates an empty one. */
function keep(path: string, kept: string): Kept {
  if (!existsSync(path)) {
    moveLog(path, kept)
    return { kept: logsBeside(kept)[0], unlock() {} }
  }
  const unlock = foldLog(path, kept)
  try {
    linkSync(path, kept)
  } catch {
    renameSync(path, kept) // a file system without links
  }
  return { kept, unlock }
}

/**
 * Moves the content of the old database's log into its file, or, if the file is too damaged for that, renames the log with it. Until it is
 * unlocked, no command writes to it: its write would only be in what is kept, and its log beside the new database.
 */
function foldLog(path: string, kept: string): () => void {
  let db: Connection | undefined
  try {
    const locked = openExisting(path)
    db = locked
    for (const pragma of ['locking_mode = EXCLUSIVE', 'journal_mode = DELETE']) locked.pragma(pragma)
    locked.exec('BEGIN EXCLUSIVE')
    return () => locked.close()
  } catch (error) {
    db?.close()
    if (isBusy(error)) throw new OperatorError(`Another command is using ${path}: try again when it has ended.`)
    moveLog(path, kept)
    return () => {}
  }
}

/** SQLite would apply it to the database that replaces its own. */
function moveLog(path: string, kept: string): void {
  for (const suffix of [...logEndings, '-shm']) if (existsSync(path + suffix)) renameSync(path + suffix, kept + suffix)
}
