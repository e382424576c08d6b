import { renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { OperatorError } from '../errors.ts'
import { removeDatabase } from './copy.ts'
import { syncDirectory } from './durability.ts'
import type { Tell } from './fold-keys.ts'
import type { Connection } from './open.ts'
import { giveToOwner } from './owner.ts'

/** A step from the schema version before it to `version`. Steps are appended, never changed. */
export interface Migration {
  version: number
  sql: string
  /** Statements that create the indexes of keys, when all keys have been rewritten. Each may run twice. */
  afterKeys?: readonly string[]
}

/** Marks a SQLite file as Kontor's (`PRAGMA application_id`): "Kont" in ASCII. */
const applicationId = 0x4b6f6e74

/**
 * Gives a database the newest schema: creates it from `schema` in an empty file, or runs the missing `steps` in one transaction
 * after a backup to `<file>.v<version>.bak`. Throws OperatorError for a newer database and for another program's file.
 */
export function migrate(db: Connection, schema: string, steps: readonly Migration[], tell: Tell = () => {}): void {
  if (isCurrent(db, steps)) return
  if (versionOf(db) > 0) {
    tell('upgrading the database', upgradeOf(db, steps))
    backUp(db)
  }
  db.pragma('foreign_keys = OFF') // a step may rebuild a table that others refer to
  try {
    db.transaction(() => advance(db, schema, steps)).exclusive()
  } finally {
    db.pragma('foreign_keys = ON')
  }
}

function advance(db: Connection, schema: string, steps: readonly Migration[]): void {
  if (isCurrent(db, steps)) return // another process has upgraded it in the meantime
  const version = versionOf(db)
  const due = version === 0 ? [schema] : steps.filter((step) => step.version > version).map((step) => step.sql)
  for (const sql of due) db.exec(sql)
  if ((db.pragma('foreign_key_check') as unknown[]).length > 0)
    throw new Error('A migration step left a reference without its record')
  db.pragma(`application_id = ${applicationId}`)
  db.pragma(`user_version = ${newestOf(steps)}`)
}

/** Whether the database has the newest schema. Throws OperatorError for a newer database and for another program's file. */
export function isCurrent(db: Connection, steps: readonly Migration[], name = db.name): boolean {
  const version = versionOf(db)
  const newest = newestOf(steps)
  if (db.pragma('application_id', { simple: true }) !== applicationId) {
    if (isEmpty(db)) return false
    throw new OperatorError(`${name} is the database of another program, not of Kontor.`)
  }
  if (version < 1) {
    throw new OperatorError(`${name} has no valid schema version (user_version is ${version}): restore a backup.`)
  }
  if (version <= newest) return version === newest
  throw new OperatorError(
    `${name} was written by a newer Kontor (schema ${version}; this program supports up to ${newest}): run that version or a later one.`,
  )
}

/** Whether nothing is defined in the database. */
export function isEmpty(db: Connection): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
}

/** Throws OperatorError unless the database, which was copied from `file`, is Kontor's and not newer than this program. */
export function requireOurs(db: Connection, file: string, steps: readonly Migration[]): void {
  isCurrent(db, steps, file)
  if (versionOf(db) === 0) throw new OperatorError(`${file} is empty.`)
}

/** Measured: the copy before the upgrade, new indexes and rebuilt tables. */
const bytesPerSecond = 25 * 2 ** 20

function upgradeOf(db: Connection, steps: readonly Migration[]): Record<string, unknown> {
  const bytes = db
    .prepare('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size')
    .pluck()
    .get() as number
  return { from: versionOf(db), to: newestOf(steps), bytes, about_seconds: Math.ceil(bytes / bytesPerSecond) }
}

/** The version of the newest schema. */
export function newestOf(steps: readonly Migration[]): number {
  return steps.at(-1)?.version ?? 1
}

function versionOf(db: Connection): number {
  return db.pragma('user_version', { simple: true }) as number
}

/** Copies the database before the upgrade. The copy is complete and on disk, or absent; that of an earlier, failed upgrade is replaced. */
function backUp(db: Connection): void {
  const copy = `${db.name}.v${versionOf(db)}.bak`
  const unfinished = `${copy}.unfinished`
  try {
    removeDatabase(unfinished)
    db.prepare('VACUUM INTO ?').run(unfinished)
    giveToOwner(unfinished, db.name)
    renameSync(unfinished, copy)
    syncDirectory(dirname(copy))
  } catch (error) {
    removeDatabase(unfinished) // the disk may be full
    throw new OperatorError(`Cannot copy the database to ${copy} before the upgrade: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}
