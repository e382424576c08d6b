import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename } from 'node:path'
import Database from 'better-sqlite3'
import { OperatorError } from '../errors.ts'
import { ExactSum } from '../lib/exact-sum.ts'
import { fold, withoutCase } from '../lib/text.ts'
import { placeOfStart } from '../lib/word-starts.ts'
import { codeOf } from './constraint.ts'

export type Connection = Database.Database

/** The name of the database in a data directory. */
export const databaseName = 'kontor.db'

/**
 * Older versions cannot add a constraint to a table, which migrations do; before 3.51.3, a checkpoint by one process while
 * another writes can corrupt a database in WAL mode.
 */
const sqliteVersionMin = [3, 53, 0]
const cacheKiBDefault = 32_768

interface OpenOptions {
  /** How long, in milliseconds, a statement waits for another connection's lock. It blocks its thread. */
  busyTimeoutMs: number
  /** `NORMAL` commits without waiting for the disk (the server syncs the WAL itself), `FULL` waits. */
  synchronous: 'NORMAL' | 'FULL'
  /** The size of the connection's page cache. */
  cacheKiB?: number
  /** Whether a missing file is created; default: no, since SQLite would then remove the log that lies beside it. */
  create?: boolean
}

/** Opens a database. Throws OperatorError if the file cannot be used. */
export function openConnection(
  path: string,
  { busyTimeoutMs, synchronous, cacheKiB = cacheKiBDefault, create = false }: OpenOptions,
): Connection {
  try {
    const db = new Database(path, { timeout: busyTimeoutMs, fileMustExist: !create })
    db.pragma(`synchronous = ${synchronous}`)
    db.pragma('wal_autocheckpoint = 0')
    db.pragma('temp_store = MEMORY')
    db.pragma('secure_delete = ON') // so that nothing of an erased record stays in unused space (decision G11)
    db.pragma(`cache_size = -${cacheKiB}`)
    requireSoundSqlite(db)
    return prepared(db)
  } catch (error) {
    throw openError(path, error)
  }
}

/**
 * Opens a file of which nothing is believed: it is only read, in one transaction until it is closed. Its definitions are to be compared
 * (`findDifferences`) before a table is read. Throws OperatorError.
 */
export function openForeign(path: string): Connection {
  requireFile(path)
  try {
    // Not with `readonly`: an integrity check would then leave out the CHECK constraints.
    const db = prepared(new Database(path, { fileMustExist: true }))
    for (const pragma of ['query_only = ON', 'cell_size_check = ON']) db.pragma(pragma)
    db.exec('BEGIN; SELECT 1 FROM sqlite_schema')
    return db
  } catch (error) {
    throw openError(path, error)
  }
}

/** The endings of the logs that SQLite applies to whatever database they lie beside. */
export const logEndings = ['-wal', '-journal']

/** Throws OperatorError if there is no database file, or if a log beside it is not a file: SQLite would wait for a pipe for ever. */
export function requireFile(path: string): void {
  if (!existsSync(path)) throw new OperatorError(`There is no database at ${path}.`)
  for (const file of [path, ...logEndings.map((ending) => path + ending)]) {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) throw new OperatorError(`${file} is not a file.`)
  }
}

/** Opens a database in memory: a copy of the bytes that another one was saved as. */
export function openCopy(bytes: Buffer): Connection {
  return prepared(new Database(bytes))
}

/** Statements may call the functions; a trigger, a view or a constraint may not, and no other function that does more than compute. */
function prepared(db: Connection): Connection {
  db.pragma('foreign_keys = ON')
  db.pragma('trusted_schema = OFF')
  const options = { deterministic: true, directOnly: true }
  db.function('holds_in_order', options, holdsInOrder)
  db.function('begins_word', options, beginsWord)
  db.function('fold', options, (text) => (text === null ? null : fold(String(text))))
  db.function('without_case', options, (text) => (text === null ? null : withoutCase(String(text))))
  db.aggregate<unknown>('exact_sum', {
    ...options,
    varargs: true,
    start: () => new ExactSum(),
    step: (...[sum, number, factor]: unknown[]) => (sum as ExactSum).add(number, factor),
    result: String,
  })
  return db
}

/** SQL function: whether a word of a folded text begins with a part. False for null. */
function beginsWord(text: unknown, part: unknown): number {
  return text !== null && placeOfStart(String(text), String(part)) !== -1 ? 1 : 0
}

let partsText = ''
let parts: string[] = []

/** SQL function: whether a text contains all parts (a JSON array) in this order. False for null. */
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

const unwritable = 'the user that runs Kontor must be able to write to the directory and the files in it'

/** Advice for the operator, by SQLite's error code. */
const remedies: Readonly<Record<string, string>> = {
  BUSY: 'another program uses it: try again, or stop that program',
  FULL: 'free some disk space, then start again',
  IOERR:
    "the disk or its file system is failing: see the system's log; if the disk is lost, restore a backup on another one",
  READONLY: unwritable,
  CANTOPEN: unwritable,
}

/** Throws OperatorError if the files are read-only: SQLite would open them and then refuse each write. */
export function requireWritable(path: string): void {
  for (const file of [path, `${path}-wal`].filter((each) => existsSync(each))) {
    try {
      accessSync(file, constants.W_OK)
    } catch (error) {
      throw new OperatorError(`Cannot write to ${file}: ${unwritable}.`, { cause: error })
    }
  }
}

/** Converts an error that an operator can do something about to an OperatorError. Returns any other error, which is a bug, unchanged. */
export function openError(path: string, error: unknown): unknown {
  if (codeOf(error) === 'ERR_DLOPEN_FAILED') return loadError(error as Error)
  const [, code = ''] = /^SQLITE_([A-Z]+)/.exec(codeOf(error)) ?? []
  const remedy = remedies[code]
  if (remedy === undefined) return damageError(path, error) ?? error
  return new OperatorError(`Cannot use ${path} (${(error as Error).message}): ${remedy}.`, { cause: error })
}

/** SQLite's native addon is unpacked to a file, which the system must allow a program to load. */
function loadError(error: Error): OperatorError {
  const advice = 'set TMPDIR to a directory whose file system is not mounted noexec'
  return new OperatorError(`Cannot load SQLite from ${tmpdir()} (${error.message}): ${advice}.`, { cause: error })
}

/** Returns the message for a file that is not a database or is damaged; undefined for any other error. */
export function damageError(path: string, error: unknown): OperatorError | undefined {
  const code = codeOf(error)
  if (code === 'SQLITE_NOTADB') {
    const remedy = basename(path) === databaseName ? `: ${replaceRemedy}` : ''
    return new OperatorError(`${path} is not a database${remedy}.`, { cause: error })
  }
  return code.startsWith('SQLITE_CORRUPT') ? damaged(path, { cause: error }) : undefined
}

export const replaceRemedy = 'restore a backup with "kontor restore", which keeps this file'

/** The database of a data directory is replaced by a backup. Any other file is a copy itself. `finding`: what is wrong with it, as SQLite says. */
export function damaged(path: string, { finding, cause }: { finding?: string; cause?: unknown } = {}): OperatorError {
  const [first] = finding?.replace(/^\*{3}.*\n/, '').split('\n') ?? []
  const remedy = basename(path) === databaseName ? replaceRemedy : 'use another backup'
  return new OperatorError(`${path} is damaged${first ? ` (${first})` : ''}: ${remedy}.`, { cause })
}
