import { isDeepStrictEqual } from 'node:util'
import { unpackUuid } from '../../lib/uuid.ts'
import { unpackRequestId } from '../../store/change-log.ts'
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
  /** The id of the request that made it. */
  readonly requestId: string | undefined
}

/** A part of what a batch writes, in a transaction of its own. The last one stores the position, too. */
export type Step = (tx: Writer) => void

/**
 * A reader of the log that keeps something in the database up to date: values that may lag behind the records they follow from. It deals with
 * changes in batches: it reads, and then writes in short steps. What it makes must follow from the records alone: a batch may show records as
 * later changes have made them, and is repeated after a crash.
 *
 * A workspace in which it has no position is built from its records. So whatever it has made is made anew when its position is removed
 * (`rebuildIfBehind`), or its version is raised.
 */
export interface BatchReader {
  /** As metrics and messages name it. */
  readonly name: string
  /** An integer, raised when it makes something else of the same records. */
  readonly version: number
  /** The types of changes that concern it, as patterns: `deal.*`, `contact.restored`. */
  readonly types: readonly string[]
  /** Whether there is something in a workspace that it could change; default: always. If not, it has no position there. */
  isNeeded?(reader: Reader): boolean
  /** Deals with changes, oldest first. What changes after it has read comes with a later batch. */
  apply(reader: Reader, changes: readonly Seen[]): readonly Step[]
  /**
   * Deals with the next few hundred records after `after` (at first ''). Changes after the number `position` are applied afterwards. `next` is
   * where to go on; undefined: there are no more.
   */
  rebuild(reader: Reader, after: string, position: number): { steps: readonly Step[]; next: string | undefined }
  /** What it has made that does not follow from the records, a sentence each. */
  verify(reader: Reader): Iterable<string>
}

interface Position {
  version: number
  position: number
  /** The last record that has been dealt with, while everything is made anew; otherwise null. */
  rebuilt: string | null
}

/** How many changes a batch deals with. */
const changesMax = 100
/** How many changes that do not concern a reader its position may be behind: to store it would make caches read everything again. */
const passedMax = 1_000
/** How many changes are read at most to find those of a batch. */
const lookedMax = 10_000

const positionSql =
  'SELECT version, position, rebuilt FROM log_reader WHERE workspace_id = :workspace AND name = ? AND version = ?'

/** What is to be done next in a workspace. */
export interface Batch {
  /** Each is a transaction. Returns false if the reader begins anew: the others are left out. */
  readonly writes: readonly ((tx: Writer) => boolean)[]
}

/** Reads what the next batch in a workspace writes: nobody waits meanwhile. Undefined: nothing is to be done. */
export function planBatch(reader: BatchReader, of: Reader): Batch | undefined {
  if (of.value(moveOfWorkspaceSql) !== undefined) return undefined // where the company is now, it is done
  const at = positionIn(of, reader)
  if (reader.isNeeded && !reader.isNeeded(of)) {
    return { writes: [(tx) => reader.isNeeded!(tx) || leave(reader, tx)] }
  }
  const { steps, after } = stepsOf(reader, of, at)
  const isCurrent = (tx: Writer) =>
    tx.value(moveOfWorkspaceSql) === undefined && isDeepStrictEqual(positionIn(tx, reader), at)
  const toWrite = (step: Step | undefined, isLast: boolean) => (tx: Writer) => {
    if (!isCurrent(tx)) return false
    step?.(tx)
    if (isLast) store(reader, tx, after)
    return true
  }
  return { writes: [...steps.slice(0, -1).map((step) => toWrite(step, false)), toWrite(steps.at(-1), true)] }
}

interface Steps {
  steps: readonly Step[]
  /** The position afterwards. */
  after: Omit<Position, 'version'>
}

function stepsOf(reader: BatchReader, of: Reader, at: Position | undefined): Steps {
  const latest = latestOf(of)
  if (!at || at.position > latest) return { steps: [], after: { position: latest, rebuilt: '' } }
  if (at.rebuilt !== null) {
    const { steps, next } = reader.rebuild(of, at.rebuilt, at.position)
    return { steps, after: { position: at.position, rebuilt: next ?? null } }
  }
  const { changes, position } = readChanges(reader, of, at.position)
  const steps = changes.length > 0 ? reader.apply(of, changes) : []
  return { steps, after: { position, rebuilt: null } }
}

/** Steps that each deal with at most `max` of some items. */
export function inSteps<T>(items: readonly T[], max: number, deal: (tx: Writer, item: T) => void): Step[] {
  return Array.from({ length: Math.ceil(items.length / max) }, (_, at) => (tx: Writer) => {
    for (const item of items.slice(at * max, (at + 1) * max)) deal(tx, item)
  })
}

/** Steps after which everything that a reader has made is made anew, in batches. */
export function beginAnew(reader: BatchReader): Step[] {
  return [(tx) => leave(reader, tx), () => {}] // the second one is left out, because the position is another one
}

/** Whether a reader has something to do in a workspace. Up to the change `passed`, none concerns it. */
export function hasWork(reader: BatchReader, of: Reader, passed = 0): boolean {
  const at = positionIn(of, reader)
  if (reader.isNeeded && !reader.isNeeded(of)) return at !== undefined
  if (!at || at.rebuilt !== null || at.position > latestOf(of)) return true
  const { changes, position } = readChanges(reader, of, Math.max(at.position, passed))
  return changes.length > 0 || position - at.position >= passedMax
}

function positionIn(of: Reader, { name, version }: BatchReader): Position | undefined {
  return of.row<Position>(positionSql, name, version)
}

function store({ name, version }: BatchReader, tx: Writer, { position, rebuilt }: Steps['after']): void {
  const sql = `INSERT INTO log_reader (workspace_id, name, version, position, rebuilt) VALUES (:workspace, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET version = excluded.version, position = excluded.position, rebuilt = excluded.rebuilt`
  tx.run(sql, name, version, position, rebuilt)
}

function leave({ name }: BatchReader, tx: Writer): true {
  tx.run('DELETE FROM log_reader WHERE workspace_id = :workspace AND name = ?', name)
  return true
}

interface Changes {
  changes: readonly Seen[]
  /** The number of the last change that has been looked at. */
  position: number
}

/** Without `data`, which may be long. */
function readChanges({ types }: BatchReader, of: Reader, from: number): Changes {
  const until = Math.min(latestOf(of), from + lookedMax)
  const sql = `SELECT seq, (SELECT text FROM change_term WHERE id = type) AS type, record_id AS recordId, previous, request_id AS request
    FROM change INDEXED BY sqlite_autoindex_change_1
    WHERE workspace_id = :workspace AND seq > ? AND seq <= ? AND ${concernSql(types)}
    ORDER BY seq LIMIT ?`
  type Row = {
    seq: number
    type: string
    recordId: Uint8Array
    previous: string | null
    request: Uint8Array | string | null
  }
  const rows = of.rows<Row>(sql, from, until, changesMax)
  const changes = rows.map(({ type, recordId, previous, request }) => ({
    type,
    resource: type.slice(0, type.indexOf('.')),
    recordId: unpackUuid(recordId),
    previous: previous === null ? {} : JSON.parse(previous),
    requestId: unpackRequestId(request) ?? undefined,
  }))
  return { changes, position: rows.length < changesMax ? until : rows.at(-1)!.seq }
}

/** A condition on a change: it concerns a reader. SQLite finds the few types once, not for each change. */
function concernSql(types: readonly string[]): string {
  const patterns = types.map((pattern) => `text GLOB '${pattern}'`)
  return `type IN (SELECT id FROM change_term WHERE ${patterns.join(' OR ')})`
}

/** The workspaces in which a reader has not dealt with all changes, with the number of the last one. */
export function workspacesBehind({ name, version }: BatchReader, access: Reader): { id: number; latest: number }[] {
  const sql = `SELECT id, latest FROM (
      SELECT id, (SELECT max(seq) FROM change WHERE change.workspace_id = workspace.id) AS latest FROM workspace)
    WHERE latest IS NOT NULL AND NOT EXISTS (SELECT 1 FROM log_reader
      WHERE log_reader.workspace_id = id AND name = ? AND version = ? AND rebuilt IS NULL AND position = latest)`
  return access.rows(sql, name, version)
}

/** What does not follow from the records, of what a reader has made of all changes so far; nothing while it is behind. */
export function* verifyMade(reader: BatchReader, of: Reader): Generator<string> {
  const at = positionIn(of, reader)
  const isDone = at?.rebuilt === null && at.position <= latestOf(of) && !hasWork(reader, of)
  if (isDone) yield* reader.verify(of)
}

/**
 * Makes readers begin anew that have not dealt with all changes that concern them, or with all records: a record that is erased no longer says
 * what followed from it. One that is far behind is not looked at more closely.
 */
export function rebuildIfBehind(readers: readonly BatchReader[], tx: Writer): void {
  for (const { name, types } of readers) {
    const concerned = `SELECT 1 FROM change INDEXED BY sqlite_autoindex_change_1
      WHERE change.workspace_id = :workspace AND seq > position AND ${concernSql(types)}`
    const sql = `DELETE FROM log_reader
      WHERE workspace_id = :workspace AND name = ? AND (rebuilt IS NOT NULL OR position < ? OR EXISTS (${concerned}))`
    tx.run(sql, name, latestOf(tx) - lookedMax)
  }
}

/** How far a reader has come, for the pruning of the log and for metrics: to before the first change that concerns it. */
export function positionsOf({ name, types }: BatchReader): Positions {
  const next = `SELECT seq - 1 FROM change INDEXED BY sqlite_autoindex_change_1
    WHERE change.workspace_id = log_reader.workspace_id AND seq > position AND ${concernSql(types)} ORDER BY seq LIMIT 1`
  const newest = 'SELECT max(seq) FROM change WHERE change.workspace_id = log_reader.workspace_id'
  return {
    name,
    positions: `SELECT workspace_id, reached AS position, reached AS needed FROM (
      SELECT workspace_id, coalesce((${next}), (${newest}), position) AS reached FROM log_reader WHERE name = '${name}')`,
    isRead: () => true,
  }
}
