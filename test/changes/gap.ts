import assert from 'node:assert/strict'
import { closeSync, openSync, writeSync } from 'node:fs'
import { decodeEntry, readPart } from '../../src/cluster/entry.ts'
import { openConnection } from '../../src/store/open.ts'
import { findInFiles } from './bytes.ts'

/** A former value, as SQLite leaves it in a gap when it distributes the rows of a table over pages. */
export const left = { 'a former value': 'Qxwvzbjfpk' }
/** A table that these tests do not write to. */
const unwritten = 'webhook'

/** Leaves it in the first page of a table. No server has the database open. Returns the number of the page. */
export function leaveInGap(path: string): number {
  const db = openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  const root = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(unwritten) as number
  const pageSize = db.pragma('page_size', { simple: true }) as number
  db.close()
  const file = openSync(path, 'r+')
  writeSync(file, left['a former value'], root * pageSize - 100)
  closeSync(file)
  assert.equal(findInFiles(path, left).length, 1)
  return root
}

/** The numbers of the pages that parts of the log of several servers have. */
export async function pagesOf(parts: readonly Buffer[]): Promise<Set<number>> {
  const entries = await Promise.all(parts.map((part) => decodeEntry([readPart(part)])))
  return new Set(entries.flatMap(({ pages }) => [...pages.keys()]))
}
