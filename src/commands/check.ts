import type { Command } from 'commander'
import { verifyMade } from '../changes/readers/batch-reader.ts'
import { verifyLog } from '../changes/verify.ts'
import type { Contents } from '../content/contents.ts'
import { findContentFaults } from '../content/copy-content.ts'
import { contentsBeside } from '../content/open.ts'
import { searchedOf } from '../engine/finding/list/search.ts'
import { countUnsearched, enteredSql, findStaleKeys } from '../engine/finding/list/stale-keys.ts'
import { findStaleValues } from '../engine/records/declared/verify.ts'
import { OperatorError } from '../errors.ts'
import { batchReaders, loggedResources, resources } from '../features/index.ts'
import { findDamage, findingsMax, listPartial } from '../store/check.ts'
import { openExisting } from '../store/copy.ts'
import { databasePath, requireDatabase } from '../store/directory.ts'
import { hasKeysToFold } from '../store/fold-keys.ts'
import { isCurrent, requireOurs } from '../store/migrate.ts'
import { partialCompaniesSql } from '../store/move-state.ts'
import { type Connection, damaged } from '../store/open.ts'
import type { Reader } from '../store/reader.ts'
import { Statements, WorkspaceReader } from '../store/statements.ts'
import { contentsOf } from './contents.ts'
import { schema } from './open-store.ts'
import { print } from './print.ts'
import { administer, type CommonOptions, dataOf } from './program.ts'
import { requireShipped } from './require-shipped.ts'

export function checkCommand(): Command {
  return administer('check', 'check the integrity of the database or of a backup; may run while the server runs')
    .argument('[file]', 'a backup (default: the database of the data directory)')
    .option('--files', 'read the content of all files, too: where KONTOR_FILES says, and of a backup, beside it')
    .action(check)
}

async function check(file: string | undefined, options: CommonOptions & { files?: boolean }): Promise<void> {
  if (file === undefined) requireDatabase(dataOf(options))
  const path = file ?? databasePath(dataOf(options))
  const end = await requireShipped(path)
  const db = openExisting(path)
  try {
    requireOurs(db, path, schema.steps)
    const damage = findDamage(db, schema)
    // An upgrade computes derived data again, so only a current database is checked for it.
    if (damage.length === 0 && isCurrent(db, schema.steps) && !hasKeysToFold(db)) damage.push(...findStale(db))
    if (damage.length > 0) throw new OperatorError([damaged(path).message, ...damage].join('\n'))
    if (options.files) {
      const contents = file === undefined ? contentsOf({ data: options.data }) : contentsBeside(path)
      const faults = await findFaults(path, contents)
      if (faults.length > 0)
        throw new OperatorError([`${path} is sound, but content of its files is not:`, ...faults].join('\n'))
    }
    const partial = listPartial(db)
    const lines = partial.map(
      (id) => `The import or the removal of the company ${id} has not ended: it was not checked`,
    )
    print(options.json, { file: path, sound: true, partial }, [`${path} is sound`, ...lines].join('\n'))
  } finally {
    db.close()
    end()
  }
}

/** What is wrong with the content of the files of a database. */
async function findFaults(path: string, contents: Contents): Promise<string[]> {
  const found: string[] = []
  for await (const fault of findContentFaults(contents, path)) {
    if (found.push(fault) === findingsMax) break
  }
  return found
}

/** Compares sort keys, values of declared fields, the search index and the log of changes with the records, in one read transaction. */
function findStale(db: Connection): string[] {
  db.pragma('temp_store = FILE') // for a temporary table of everything that can be searched
  const statements = new Statements(db, () => {})
  const search = () => {
    db.exec(enteredSql)
    const sql = `SELECT id FROM workspace WHERE company_id NOT IN (${partialCompaniesSql})`
    const workspaces = new WorkspaceReader(statements, undefined).values<number>(sql)
    const found = new Set<string>() // several workspaces share users and keys
    for (const id of workspaces) {
      for (const finding of findingsOf(new WorkspaceReader(statements, id), id)) {
        if (found.add(finding).size === findingsMax) return [...found]
      }
    }
    return [...found]
  }
  return db.transaction(search)()
}

function* findingsOf(reader: Reader, workspace: number): Generator<string> {
  for (const resource of resources) {
    yield* findStaleKeys(resource, reader)
    yield* findStaleValues(resource, reader)
    yield* resource.verify?.(reader) ?? []
    const missing = resource.counted ? countUnsearched(searchedOf(resource), reader) : 0
    if (missing > 0)
      yield `workspace ${workspace} has ${missing} rows of ${resource.table} that are missing from the search index`
  }
  for (const each of batchReaders)
    for (const finding of verifyMade(each, reader)) yield `workspace ${workspace}: ${finding}`
  for (const finding of verifyLog(loggedResources, reader)) yield `workspace ${workspace}: ${finding}`
}
