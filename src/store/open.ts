import Database from 'better-sqlite3'
import { OperatorError } from '../errors.ts'

export type Connection = Database.Database

/** Below this, a checkpoint by one process while another writes can corrupt a database in WAL mode. */
const sqliteVersionMin = [3, 51, 3]
const cacheKiBDefault = 32_768

interface OpenOptions {
  /** How long a statement waits, blocking its thread, for another connection's lock. */
  busyTimeoutMs: number
  /** `NORMAL` commits without waiting for the disk (the server syncs the WAL itself), `FULL` waits. */
  synchronous: 'NORMAL' | 'FULL'
  /** Pages of the database that it keeps in memory. */
  cacheKiB?: number
}

/** Opens (and makes, where there is none) a database. Throws OperatorError where the file is not usable. */
export function openConnection(
  path: string,
  { busyTimeoutMs, synchronous, cacheKiB = cacheKiBDefault }: OpenOptions,
): Connection {
  try {
    const db = new Database(path, { timeout: busyTimeoutMs })
    db.pragma(`synchronous = ${synchronous}`)
    db.pragma('foreign_keys = ON')
    db.pragma('wal_autocheckpoint = 0')
    db.pragma('temp_store = MEMORY')
    db.pragma(`cache_size = -${cacheKiB}`)
    requireSoundSqlite(db)
    return db
  } catch (error) {
    throw openError(path, error)
  }
}

function requireSoundSqlite(db: Connection): void {
  const version = db.prepare('SELECT sqlite_version()').pluck().get() as string
  if (!isAtLeast(version.split('.').map(Number), sqliteVersionMin)) {
    throw new OperatorError(`SQLite ${version} is too old: Kontor needs ${sqliteVersionMin.join('.')} or newer.`)
  }
}

function isAtLeast([first = 0, ...rest]: number[], [min, ...restMin]: number[]): boolean {
  if (min === undefined) return true
  return first === min ? isAtLeast(rest, restMin) : first > min
}

function openError(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof OperatorError) return error
  return damageError(path, error) ?? new OperatorError(`Cannot open ${path}: ${error.message}.`, { cause: error })
}

/** What the operator is told of a file that is no sound database; undefined for any other error. */
export function damageError(path: string, error: unknown): OperatorError | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'SQLITE_NOTADB') return new OperatorError(`${path} is not a database.`, { cause: error })
  return code.startsWith('SQLITE_CORRUPT') ? damaged(path, { cause: error }) : undefined
}

export function damaged(path: string, options?: ErrorOptions): OperatorError {
  return new OperatorError(
    `${path} is damaged: restore a backup with "kontor restore", which keeps this file.`,
    options,
  )
}
