import { unpackUuid } from '../../lib/uuid.ts'
import { moveOfWorkspaceSql } from '../../store/move-state.ts'
import type { Reader, Writer } from '../../store/reader.ts'
import { latestOf } from '../stored-change.ts'
import type { Positions } from './log-reader.ts'

/** What a reader sees of a change. */
export interface Seen {
  /** `deal.stage_changed` */
  readonly type: string
  /** `deal` */
  readonly resource: string
  readonly recordId: string
  /** The former values of the changed fields. */
  readonly previous: Readonly<Record<string, unknown>>
}

/**
 * A reader of the log that keeps something in the database up to date: values that may lag behind the records they follow from. It deals with
 * changes in batches, each in one transaction with its position. What it makes must follow from the records alone: a batch may show records
 * as later changes have made them, and is repeated after a crash.
 *
 * A workspace in which it has no position is built from its records. So whatever it has made is made anew when its position is removed
 * (`rebuildIfBehind`), or its version is raised.
 */
export interface BatchReader {
  /** As metrics and messages name it. */
  readonly name: string
  /** An integer, raised when it makes something else of the same records. */
  readonly version: number
  /** The resources whose changes it deals with. */
  readonly resources: readonly string[]
  /** Deals with changes, oldest first. */
  apply(tx: Writer, changes: readonly Seen[]): void
  /** Deals with the next few hundred records after `after` (at first ''). Returns where to go on; undefined: there are no more. */
  rebuild(tx: Writer, after: string): string | undefined
  /** What it has made that does not follow from the records, a sentence each. */
  verify(reader: Reader): Iterable<string>
}

interface Position {
  version: number
  position: number
  /** The last record that has been dealt with, while everything is made anew; otherwise null. */
  rebuilt: string | null
}

/** How many changes a transaction deals with. */
const changesMax = 100
/** How many changes a transaction reads that do not concern the reader. */
const passedMax = 5_000

const positionSql =
  'SELECT version, position, rebuilt FROM log_reader WHERE workspace_id = :workspace AND name = ? AND version = ?'

/** Deals with the next batch in a workspace. Returns whether there is more to do. */
export function dealWithBatch(reader: BatchReader, tx: Writer): boolean {
  if (tx.value(moveOfWorkspaceSql) !== undefined) return false // where the company is now, it is done
  const at = tx.row<Position>(positionSql, reader.name, reader.version)
  const latest = latestOf(tx)
  if (!at || at.position > latest) return store(reader, tx, { position: latest, rebuilt: '' })
  if (at.rebuilt !== null) {
    const rebuilt = reader.rebuild(tx, at.rebuilt) ?? null
    return store(reader, tx, { position: at.position, rebuilt }) && (rebuilt !== null || at.position < latest)
  }
  if (at.position === latest) return false
  const { changes, position } = readBatch(reader, tx, at.position, latest)
  if (changes.length > 0) reader.apply(tx, changes)
  return store(reader, tx, { position, rebuilt: null }) && position < latest
}

function store({ name, version }: BatchReader, tx: Writer, { position, rebuilt }: Omit<Position, 'version'>): true {
  const sql = `INSERT INTO log_reader (workspace_id, name, version, position, rebuilt) VALUES (:workspace, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET version = excluded.version, position = excluded.position, rebuilt = excluded.rebuilt`
  tx.run(sql, name, version, position, rebuilt)
  return true
}

interface Batch {
  changes: readonly Seen[]
  /** The number of the last change that it is about. */
  position: number
}

/** Without `data`, which may be long. */
function readBatch({ resources }: BatchReader, reader: Reader, from: number, latest: number): Batch {
  const until = Math.min(latest, from + passedMax)
  const sql = `SELECT seq, type.text AS type, record_id AS recordId, previous
    FROM change INDEXED BY sqlite_autoindex_change_1 CROSS JOIN change_term AS type ON type.id = change.type
    WHERE workspace_id = :workspace AND seq > ? AND seq <= ?
      AND substr(type.text, 1, instr(type.text, '.') - 1) IN (SELECT value FROM json_each(?))
    ORDER BY seq LIMIT ?`
  type Row = { seq: number; type: string; recordId: Uint8Array; previous: string | null }
  const rows = reader.rows<Row>(sql, from, until, JSON.stringify(resources), changesMax)
  const changes = rows.map(({ type, recordId, previous }) => ({
    type,
    resource: type.slice(0, type.indexOf('.')),
    recordId: unpackUuid(recordId),
    previous: previous === null ? {} : JSON.parse(previous),
  }))
  return { changes, position: rows.length < changesMax ? until : rows.at(-1)!.seq }
}

/** The workspaces in which a reader has something to do. */
export function workspacesBehind({ name, version }: BatchReader, access: Reader): number[] {
  const newest = '(SELECT max(seq) FROM change WHERE change.workspace_id = workspace.id)'
  const sql = `SELECT id FROM workspace WHERE ${newest} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM log_reader
    WHERE log_reader.workspace_id = workspace.id AND name = ? AND version = ? AND rebuilt IS NULL AND position = ${newest})`
  return access.values<number>(sql, name, version)
}

/** What does not follow from the records, of what a reader has made of all changes so far; nothing while it is behind. */
export function* verifyMade(reader: BatchReader, of: Reader): Generator<string> {
  const at = of.row<Position>(positionSql, reader.name, reader.version)
  if (at?.rebuilt === null && at.position === latestOf(of)) yield* reader.verify(of)
}

/**
 * Makes readers that are behind begin anew: a record that is erased no longer says what followed from it.
 */
export function rebuildIfBehind(tx: Writer): void {
  tx.run('DELETE FROM log_reader WHERE workspace_id = :workspace AND position < ?', latestOf(tx))
}

/** How far a reader has come, for the pruning of the log and for metrics. */
export function positionsOf({ name }: BatchReader): Positions {
  return {
    name,
    positions: `SELECT workspace_id, position, position AS needed FROM log_reader WHERE name = '${name}'`,
    isRead: () => true,
  }
}
