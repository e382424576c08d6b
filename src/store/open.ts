import { accessSync, constants, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import Database from 'better-sqlite3'
import { OperatorError } from '../errors.ts'
import { codeOf } from './constraint.ts'

export type Connection = Database.Database

/**
 * Older versions cannot add a constraint to a table, which migrations do; before 3.51.3, a checkpoint by one process while
 * another writes can corrupt a database in WAL mode.
 */
const sqliteVersionMin = [3, 53, 0]
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
    db.function('holds_in_order', { deterministic: true }, holdsInOrder)
    return db
  } catch (error) {
    throw openError(path, error)
  }
}

let partsText = ''
let parts: string[] = []

/** SQL function: whether a text holds all of these parts (a JSON array), one behind the other; null does not. */
function holdsInOrder(text: unknown, partsJson: unknown): number {
  if (text === null) return 0
  if (partsJson !== partsText) {
    partsText = String(partsJson)
    parts = JSON.parse(partsText)
  }
  let at = 0
  for (const part of parts) {
    const found = String(text).indexOf(part, at)
    if (found === -1) return 0
    at = found + part.length
  }
  return 1
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

const unwritable = 'the user that runs Kontor must be able to write in its directory and to its files'

/** What an operator can do about it, by SQLite's code. */
const remedies: Readonly<Record<string, string>> = {
  BUSY: 'another program uses it: try again, or end that',
  FULL: 'make room on the disk, then start again',
  IOERR: "the disk or its file system fails: see the system's log; if it is lost, restore a backup on another one",
  READONLY: unwritable,
  CANTOPEN: unwritable,
}

/** SQLite itself opens a file that it may not write to, and refuses each write. Throws OperatorError. */
export function requireWritable(path: string): void {
  for (const file of [path, `${path}-wal`].filter((each) => existsSync(each))) {
    try {
      accessSync(file, constants.W_OK)
    } catch (error) {
      throw new OperatorError(`Cannot write to ${file}: ${unwritable}.`, { cause: error })
    }
  }
}

/** As an OperatorError, where something can be done about it; else as it is, which is a bug of ours. */
export function openError(path: string, error: unknown): unknown {
  if (codeOf(error) === 'ERR_DLOPEN_FAILED') return loadError(error as Error)
  const [, code = ''] = /^SQLITE_([A-Z]+)/.exec(codeOf(error)) ?? []
  const remedy = remedies[code]
  if (remedy === undefined) return damageError(path, error) ?? error
  return new OperatorError(`Cannot use ${path} (${(error as Error).message}): ${remedy}.`, { cause: error })
}

/** SQLite is unpacked to a file, which the system must let a program load. */
function loadError(error: Error): OperatorError {
  const advice = 'set TMPDIR to a directory whose file system is not mounted noexec'
  return new OperatorError(`Cannot load SQLite from ${tmpdir()} (${error.message}): ${advice}.`, { cause: error })
}

/** What the operator is told of a file that is no sound database; undefined for any other error. */
export function damageError(path: string, error: unknown): OperatorError | undefined {
  const code = codeOf(error)
  if (code === 'SQLITE_NOTADB') return new OperatorError(`${path} is not a database.`, { cause: error })
  return code.startsWith('SQLITE_CORRUPT') ? damaged(path, { cause: error }) : undefined
}

export function damaged(path: string, options?: ErrorOptions): OperatorError {
  return new OperatorError(
    `${path} is damaged: restore a backup with "kontor restore", which keeps this file.`,
    options,
  )
}
