import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { OperatorError } from '../errors.ts'
import { isBusy } from './constraint.ts'
import { isCurrent, type Migration, migrate } from './migrate.ts'
import { type Connection, damaged, openConnection, openError, requireWritable } from './open.ts'

/** A data directory in use. */
export interface DataDirectory {
  /** Of the database file (decision F2). */
  path: string
  db: Connection
  release(): void
}

const busyTimeoutMs = 5_000
/** Up to here a start reads the whole database: some 20 ms. */
const checkedBytesMax = 16 * 2 ** 20

/** The newest schema, and the steps to it from every earlier one. */
export interface Schema {
  schema: string
  steps: readonly Migration[]
}

/** Opens the directory for the one server that may use it. Throws OperatorError where another one does. */
export function openForServer(directory: string, schema: Schema): DataDirectory {
  makeDirectory(directory)
  const path = databasePath(directory)
  const release = lock(directory)
  try {
    const db = openMigrated(path, schema, 'NORMAL')
    db.pragma('busy_timeout = 0') // from here on the store waits in a timer
    return { path, db, release }
  } catch (error) {
    release()
    throw error
  }
}

/** Opens the directory beside a server that may be running; upgrades the database only where none is. */
export function openForCommand(directory: string, schema: Schema): Connection {
  makeDirectory(directory)
  return openMigrated(databasePath(directory), schema, 'FULL', () => lock(directory, busyTimeoutMs))
}

/** `beforeUpgrade` is called only where the database is not of the newest schema; what it answers, after it is. */
function openMigrated(
  path: string,
  { schema, steps }: Schema,
  synchronous: 'NORMAL' | 'FULL',
  beforeUpgrade: () => () => void = () => () => {},
): Connection {
  requireWritable(path)
  const db = openConnection(path, { busyTimeoutMs, synchronous })
  try {
    const current = isCurrent(db, steps)
    db.pragma('journal_mode = WAL') // only now that it is known to be ours
    db.exec('SELECT 1 FROM sqlite_schema') // a file that had no log gets one only when it is read
    if (!current) {
      const afterUpgrade = beforeUpgrade()
      try {
        migrate(db, schema, steps)
      } finally {
        afterUpgrade()
      }
    }
    requireSound(db)
    return db
  } catch (error) {
    db.close()
    throw openError(path, error)
  }
}

/** A large database is read whole when it is backed up, and by `kontor check`. */
function requireSound(db: Connection): void {
  if (statSync(db.name).size > checkedBytesMax) return
  if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') throw damaged(db.name)
}

export function databasePath(directory: string): string {
  return join(directory, 'kontor.db')
}

export function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new OperatorError(`Cannot make the data directory ${directory}: ${(error as Error).message}.`)
  }
}

/** An exclusive lock of the operating system, by way of a SQLite file: it ends with the process, however that ends. */
export function lock(directory: string, timeout = 0): () => void {
  const path = join(directory, 'kontor.lock')
  let db: Connection | undefined
  try {
    db = new Database(path, { timeout })
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db?.close()
    if (isBusy(error)) throw new OperatorError(`A Kontor server is already running on ${directory}: stop it first.`)
    throw openError(path, error)
  }
  return () => db.close()
}
