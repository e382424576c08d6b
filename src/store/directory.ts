import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { OperatorError } from '../errors.ts'
import { isBusy } from './constraint.ts'
import { isCurrent, type Migration, migrate } from './migrate.ts'
import { type Connection, openConnection } from './open.ts'

/** A data directory in use. */
export interface DataDirectory {
  /** Of the database file (decision F2). */
  path: string
  db: Connection
  release(): void
}

interface Schema {
  schema: string
  steps: readonly Migration[]
}

/** Opens the directory for the one server that may use it. Throws OperatorError where another one does. */
export function openForServer(directory: string, { schema, steps }: Schema): DataDirectory {
  makeDirectory(directory)
  const release = lock(directory)
  const path = databasePath(directory)
  try {
    const db = openConnection(path, { busyTimeoutMs: 5_000, synchronous: 'NORMAL' })
    migrate(db, schema, steps)
    db.pragma('busy_timeout = 0') // from here on the store waits in a timer
    return { path, db, release }
  } catch (error) {
    release()
    throw error
  }
}

/** Opens the directory beside a server that may be running; upgrades the database only where none is. */
export function openForCommand(directory: string, { schema, steps }: Schema): DataDirectory {
  makeDirectory(directory)
  const path = databasePath(directory)
  const db = openConnection(path, { busyTimeoutMs: 5_000, synchronous: 'FULL' })
  if (!isCurrent(db, steps)) {
    const release = lock(directory)
    migrate(db, schema, steps)
    release()
  }
  return { path, db, release() {} }
}

function databasePath(directory: string): string {
  return join(directory, 'kontor.db')
}

function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new OperatorError(`Cannot make the data directory ${directory}: ${(error as Error).message}.`)
  }
}

/** An exclusive lock of the operating system, by way of a SQLite file: it ends with the process, however that ends. */
function lock(directory: string): () => void {
  const path = join(directory, 'kontor.lock')
  let db: Connection | undefined
  try {
    db = new Database(path, { timeout: 0 })
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db?.close()
    if (isBusy(error)) throw new OperatorError(`A Kontor server is already running on ${directory}: stop it first.`)
    throw new OperatorError(`Cannot write in the data directory ${directory}: ${(error as Error).message}.`)
  }
  return () => db.close()
}
