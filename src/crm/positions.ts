import type { Change, Removal, Row } from '../engine/records/definition/change.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import { changeRow } from '../engine/records/rows/write.ts'
import type { Reader, SqlValue, Writer } from '../store/reader.ts'

/** Keeps the positions of a resource's records from 0 without gaps, or those within each group. A change of one moves the others. */
interface Positions {
  /** Places a record that is created or changed: at its position, otherwise after the last one. */
  place(change: Change): void
  /** Closes the gap that a deleted record leaves. */
  leave(removal: Removal): void
  /** A restored record is the last one (decision G11). */
  moveToEnd(change: Change): void
}

/** `within`: the field whose value is the same in a group. */
export function positionsOf(resource: () => Resource, within?: string): Positions {
  const groupOf = (row: Row): SqlValue[] => (within === undefined ? [] : [row[within]!])
  const others = `workspace_id = :workspace AND deleted_at IS NULL AND id <> ?${within ? ` AND ${within} = ?` : ''}`

  function countOthers(reader: Reader, id: string, row: Row): number {
    const sql = `SELECT count(*) FROM ${resource().table} WHERE ${others}`
    return reader.value<number>(sql, id, ...groupOf(row))!
  }

  /** Moves the others from a position to another one, which is included; default: to the last one. */
  function shift(tx: Writer, id: string, row: Row, by: 1 | -1, from: number, to = Number.MAX_SAFE_INTEGER): void {
    const sql = `SELECT id, position FROM ${resource().table} WHERE ${others} AND position BETWEEN ? AND ?`
    const rows = tx.rows<{ id: string; position: number }>(sql, id, ...groupOf(row), from, to)
    for (const each of rows) changeRow(resource(), tx, each.id, { position: each.position + by })
  }

  return {
    place({ tx, id, before, given, after }) {
      const isNew = !before || (within !== undefined && before[within] !== after[within])
      const last = countOthers(tx, id, after)
      const wanted = isNew && before ? given.position : after.position
      after.position = Math.min(Number(wanted ?? last), last)
      if (!isNew && before.position === after.position) return
      if (isNew) {
        if (before) shift(tx, id, before, -1, Number(before.position) + 1)
        shift(tx, id, after, 1, after.position)
      } else if (after.position < Number(before.position))
        shift(tx, id, after, 1, after.position, Number(before.position) - 1)
      else shift(tx, id, after, -1, Number(before.position) + 1, after.position)
    },
    leave: ({ tx, id, before }) => shift(tx, id, before, -1, Number(before.position) + 1),
    moveToEnd({ tx, id, after }) {
      after.position = countOthers(tx, id, after)
    },
  }
}
