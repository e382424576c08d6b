import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openExisting } from '../store/copy.ts'
import type { Connection } from '../store/open.ts'
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

  refersTo({ workspaceId: workspace, sha256 }: Place): boolean {
    this.#opened ??= namesBeside(this.#path).flatMap((path) => openKept(path) ?? [])
    return this.#opened.some(({ find }) => find.some((each) => each.get({ workspace, sha256 }) !== undefined))
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
    .filter((each) => !existsSync(`${each}-wal`) && statSync(each).ino !== ino)
}

/** Undefined: it cannot be read, and so not be restored. */
function openKept(path: string): Kept | undefined {
  let db: Connection | undefined
  try {
    db = openExisting(path)
    return prepareKept(db)
  } catch {
    db?.close()
    return undefined
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
