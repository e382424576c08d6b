import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError } from '../errors.ts'
import { logsBeside, openExisting } from '../store/copy.ts'
import { type Connection, damageError, openError } from '../store/open.ts'
import type { Place } from './contents.ts'

/** What restores and upgrades keep of `kontor.db`. */
const keptName = /^kontor\.db\.(?:before-restore-\d{8}T\d{6}Z(?:-\d+)?|v\d+\.bak)$/
const references = [
  ['file', 'sha256'],
  ['message', 'original_sha256'],
] as const

/** The databases that are kept beside the one at a path: they may be restored, with the content to which they refer. */
export class KeptDatabases {
  readonly #path: string
  #opened: Kept[] | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** Throws OperatorError if one of them cannot be read at the moment. */
  refersTo({ workspaceId: workspace, sha256 }: Place): boolean {
    this.#opened ??= namesBeside(this.#path).flatMap((path) => unlessDamaged(path, () => openKept(path)) ?? [])
    const isFound = ({ find }: Kept) => find.some((each) => each.get({ workspace, sha256 }) !== undefined)
    return this.#opened.some((kept) => unlessDamaged(kept.db.name, () => isFound(kept)))
  }

  close(): void {
    for (const { db } of this.#opened ?? []) db.close()
  }
}

type Kept = ReturnType<typeof prepareKept>

/**
 * Without those whose log lies beside them: they were too damaged to take it in, so they cannot be restored. And without another name of the
 * database itself, which a restore that was killed leaves: SQLite would give it a log of its own.
 */
function namesBeside(path: string): string[] {
  const { ino } = statSync(path)
  return readdirSync(dirname(path))
    .filter((name) => keptName.test(name))
    .map((name) => join(dirname(path), name))
    .filter((each) => logsBeside(each).length === 0 && statSync(each).ino !== ino)
}

/** Returns undefined if the database at `path` is damaged, so that no restore takes it. */
function unlessDamaged<T>(path: string, run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    const cause = error instanceof OperatorError ? error.cause : error
    if (damageError(path, cause)) return undefined
    throw openError(path, error)
  }
}

function openKept(path: string): Kept {
  const db = openExisting(path)
  try {
    return prepareKept(db)
  } catch (error) {
    db.close()
    throw error
  }
}

function prepareKept(db: Connection) {
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
  const find = references
    .filter(([table]) => isThere.get(table) !== undefined)
    .map(([table, column]) =>
      db.prepare(`SELECT 1 FROM "${table}" WHERE workspace_id = :workspace AND "${column}" = :sha256 LIMIT 1`),
    )
  return { db, find }
}
