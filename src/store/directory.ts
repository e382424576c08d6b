import { existsSync, lstatSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError } from '../errors.ts'
import { makePrivateDirectory } from '../lib/make-directory.ts'
import { refuseCompanyFile } from './company-file.ts'
import { codeOf } from './constraint.ts'
import { foldKeys, hasKeysToFold, type Tell } from './fold-keys.ts'
import { leaveOpen } from './leave-open.ts'
import { lock } from './lock.ts'
import { isCurrent, isEmpty, migrate } from './migrate.ts'
import {
  type Connection,
  damaged,
  databaseName,
  openConnection,
  openError,
  replaceRemedy,
  requireWritable,
} from './open.ts'
import { createFile } from './owner.ts'
import { findDifferences, type Schema } from './shape.ts'

/** An open data directory. */
interface DataDirectory {
  /** The path of the database file (decision F2). */
  path: string
  db: Connection
  release(): void
}

const busyTimeoutMs = 5_000
/** How long, in milliseconds, another process that has just created the file may take to fill it. */
const emptyMsMax = 500
const emptyPollMs = 50
/** A start checks databases up to this size, which takes about 20 ms. */
const checkedBytesMax = 16 * 2 ** 20

export interface Opening {
  /** Whether a missing database is created (decision A13). */
  create: boolean
  /** Whether a database file of 0 bytes in an otherwise empty directory counts as missing. */
  init?: boolean | undefined
  /** Whether references are checked at each statement; default: yes. Without an index for it, each check reads a complete table. */
  references?: boolean
}

interface ServerOpening {
  /** As `Opening.init`. */
  init?: boolean | undefined
  tell?: Tell
  /** Ends the lock on the directory, if the caller holds it already: as a server of the log that the directory belongs to. */
  release?: (() => void) | undefined
}

/** Opens the directory, and creates it if it is missing, for the one server that may use it. Throws OperatorError if another one does. */
export function openForServer(
  directory: string,
  schema: Schema,
  { init = false, tell = () => {}, release: held }: ServerOpening = {},
): DataDirectory {
  makeDirectory(directory)
  requireContent(directory, init)
  const path = databasePath(directory)
  requireNoLink(path)
  if (!held) requireNoLog(directory)
  const release = held ?? lock(directory)
  try {
    const db = openMigrated(path, schema, 'NORMAL', tell)
    db.pragma('busy_timeout = 0') // from now on the store waits with a timer
    return { path, db, release }
  } catch (error) {
    release()
    throw error
  }
}

/** Opens the directory for a command, also while a server runs. Creates or upgrades the database only if no server runs. Throws OperatorError. */
export function openForCommand(
  directory: string,
  schema: Schema,
  { create, init = false, references = true }: Opening,
): Connection {
  if (create) makeDirectory(directory)
  else requireDatabase(directory)
  requireContent(directory, init)
  const db = openMigrated(databasePath(directory), schema, 'FULL', tellOperator, () => {
    if (hasLog(directory)) throw isOfAnotherVersion(directory) // it may have ended, and only a leader changes the database
    return lock(directory, busyTimeoutMs)
  })
  if (!references) db.pragma('foreign_keys = OFF')
  return db
}

function isOfAnotherVersion(directory: string): OperatorError {
  return new OperatorError(`The server of ${directory} is of another version: start it again first.`)
}

/** Standard output is for the result of a command. */
function tellOperator(message: string, fields: Record<string, unknown>): void {
  console.error(message, JSON.stringify(fields))
}

/** Opens and upgrades a database. `beforeUpgrade` is called if the schema is not the newest; the function that it returns, after the upgrade. */
function openMigrated(
  path: string,
  { schema, steps }: Schema,
  synchronous: 'NORMAL' | 'FULL',
  tell: Tell,
  beforeUpgrade: () => () => void = () => () => {},
): Connection {
  const isNew = createFile(path)
  let db: Connection | undefined
  try {
    requireWritable(path)
    db = openConnection(path, { busyTimeoutMs, synchronous })
    const current = isCurrent(db, steps)
    refuseCompanyFile(db, path)
    requireOwnDefinitions(db, { schema, steps })
    db.pragma('journal_mode = WAL') // not earlier: the file might belong to another program
    db.exec('SELECT 1 FROM sqlite_schema') // SQLite creates a missing log at the first read
    if (!current || hasKeysToFold(db)) {
      const afterUpgrade = beforeUpgrade()
      try {
        migrate(db, schema, steps, tell)
        foldKeys(
          db,
          steps.flatMap(({ afterKeys = [] }) => afterKeys),
          tell,
        )
      } finally {
        afterUpgrade()
      }
    }
    requireSound(db)
    return db
  } catch (error) {
    if (db && hasLog(dirname(path)))
      leaveOpen(db) // its log may not have the last commits
    else db?.close()
    if (isNew && sizeOf(path) === 0) rmSync(path) // so that the next start counts as the first one
    throw openError(path, error)
  }
}

/** Throws OperatorError for a database with a trigger, view or table from elsewhere, which would act as part of Kontor. */
function requireOwnDefinitions(db: Connection, schema: Schema): void {
  const find = () => (isEmpty(db) ? [] : findDifferences(db, schema))
  const [difference] = db.transaction(find)()
  if (difference === undefined) return
  const remedy = `change it back, or ${replaceRemedy}`
  throw new OperatorError(
    `${db.name} cannot be used, because ${difference}: ${remedy}. "kontor check" lists everything.`,
  )
}

/** Throws OperatorError if there is no database, so that a mistyped directory is not created. */
export function requireDatabase(directory: string): void {
  const makers = '"kontor serve", "kontor company create" and "kontor restore" create one'
  if (sizeOf(directory) === undefined) throw new OperatorError(`There is no data directory at ${directory}: ${makers}.`)
  requireBesideLog(databasePath(directory))
  if (sizeOf(databasePath(directory)) === undefined)
    throw new OperatorError(`There is no database in ${directory}: ${makers}.`)
}

/** Throws OperatorError if only the log of a database is there: SQLite would remove it, with the latest writes, to create another database. */
function requireBesideLog(path: string): void {
  const log = `${path}-wal`
  if (sizeOf(log) === undefined || sizeOf(path) !== undefined) return
  const remedy = 'put it back as it was, or restore a backup with "kontor restore", which keeps the log'
  throw new OperatorError(`${path} is missing, but its log ${log} is there: ${remedy}.`)
}

/** Throws OperatorError for a link to a database: the log is beside the file itself. */
function requireNoLink(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return
  throw new OperatorError(`${path} is a link: link to the whole directory instead, or move the database here.`)
}

/** Throws OperatorError for a directory of a log: what is written without it, the next entries would mix with their own pages. */
function requireNoLog(directory: string): void {
  if (!hasLog(directory)) return
  const leave = `to leave the log, remove ${join(directory, logStateName)} on the machine that led last`
  throw new OperatorError(`${directory} belongs to a log that servers share: start it with --log, or, ${leave}.`)
}

/** The size of a file in bytes; undefined if it does not exist. */
function sizeOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size
  } catch (error) {
    const isDenied = codeOf(error) === 'EACCES'
    const reason = isDenied ? 'run this as the user of the server, or as root' : (error as Error).message
    throw new OperatorError(`Cannot use ${path}: ${reason}.`, { cause: error })
  }
}

/** What a first start that was interrupted leaves in the directory. */
const begun = [databaseName, `${databaseName}-journal`, 'kontor.lock', 'kontor.lock-journal']

/** Throws OperatorError if the database file is empty, or gone: it has lost its content, or a first start was interrupted. */
function requireContent(directory: string, init: boolean): void {
  const path = databasePath(directory)
  requireBesideLog(path)
  for (let waitedMs = 0; sizeOf(path) === 0; waitedMs += emptyPollMs) {
    const alone = readdirSync(directory).every((name) => begun.includes(name))
    if (init && alone) return
    if (waitedMs >= emptyMsMax) {
      const orInit = alone ? ', or create a new database with --init' : ''
      throw new OperatorError(`${path} is empty (0 bytes): restore a backup with "kontor restore"${orInit}.`)
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, emptyPollMs)
  }
}

/** Checks a small database. A large one is checked when it is backed up, and by `kontor check`. */
function requireSound(db: Connection): void {
  if (statSync(db.name).size > checkedBytesMax) return
  if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') throw damaged(db.name)
}

/** The name of the file in a data directory that belongs to a log (cluster/state.ts). */
export const logStateName = 'kontor.log.json'

export function hasLog(directory: string): boolean {
  return existsSync(join(directory, logStateName))
}

export function databasePath(directory: string): string {
  return join(directory, databaseName)
}

export function makeDirectory(directory: string): void {
  try {
    makePrivateDirectory(directory)
  } catch (error) {
    throw new OperatorError(`Cannot create the data directory ${directory}: ${(error as Error).message}.`)
  }
}
