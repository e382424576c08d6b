import type { Reader, Writer } from '../../store/reader.ts'
import type { Store } from '../../store/store.ts'

/** Something that a reader has done in a workspace. */
export interface Done {
  workspaceId: number
}

/** How far a reader of the log has come. */
export interface Positions {
  /** As metrics and messages name it: `webhooks`. */
  name: string
  /**
   * SQL of its positions in all workspaces: rows `workspace_id, position, needed`. Every change up to `position` has been dealt with. What
   * follows `needed` is not pruned: it may be read again. Workspaces without a row cost nothing.
   */
  positions: string
  /** Whether a workspace that has a position is read now, for example because of its plan. */
  isRead(reader: Reader): boolean
}

/**
 * A reader of the log: what follows from changes, outside of their transactions, on the server that leads. It deals with changes once they are on
 * disk. What it has done is stored in one transaction with its position, so nothing is lost or counted twice by a crash.
 */
export interface LogReader<D extends Done> extends Positions {
  /** Announced to listeners (`Store.listen`) when what is to be read of a workspace may have changed. */
  changed: readonly string[]
  /** Stores what was done in a workspace, oldest first, with the positions. */
  store(tx: Writer, done: readonly D[]): void
}

/** What deals with the changes, on this thread or another one. */
export interface LogConsumer {
  /** The changes of a workspace up to this number are on disk. */
  changed(workspaceId: number, newest: number): void
  /** Reads what is to be read of a workspace, for the first time or because it may have changed. */
  load(workspaceId: number): void
  stop(): Promise<void>
}

/** The workspaces that a reader has a position in. */
export function workspacesOf({ positions }: Positions, access: Reader): number[] {
  return access.values<number>(`SELECT DISTINCT workspace_id FROM (${positions})`)
}

/** The number of the last change that no reader of a workspace needs (decision G9); undefined: none has a position. */
export function unneededUntil(readers: readonly Positions[], reader: Reader): number | undefined {
  const needs = readers.map(({ positions }) => `SELECT needed FROM (${positions}) WHERE workspace_id = :workspace`)
  return reader.value<number>(`SELECT min(needed) FROM (${needs.join(' UNION ALL ')})`) ?? undefined
}

/** By reader: how many changes it is behind, in the workspace where it is furthest behind. */
export function measureReaders(readers: readonly Positions[], store: Store): Record<string, number> {
  return Object.fromEntries(readers.map((reader) => [reader.name, changesBehind(reader, store)]))
}

function changesBehind({ positions, isRead }: Positions, store: Store): number {
  const newest = '(SELECT max(seq) FROM change WHERE change.workspace_id = held.workspace_id)'
  const sql = `SELECT workspace_id AS id, max(${newest} - position) AS behind FROM (${positions}) AS held
    GROUP BY workspace_id HAVING behind > 0 ORDER BY behind DESC`
  const workspaces = store.access.rows<{ id: number; behind: number }>(sql)
  return workspaces.find(({ id }) => isRead(store.workspace(id)))?.behind ?? 0
}
