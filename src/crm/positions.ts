import type { Change, Removal, Row } from '../engine/records/definition/change.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import { changeRow } from '../engine/records/rows/write.ts'
import type { Reader, SqlValue, Writer } from '../store/reader.ts'

/** Keeps the positions of a resource's records from 0 without gaps, or those within each group. A change of one moves the others. */
interface Positions {
  /** Places a record that is created or changed: at its position, otherwise after the last one. What else changes `also` changes with it. */
  place(change: Change, also?: Also): void
  /** Closes the gap that a deleted record leaves. */
  leave(removal: Removal): void
  /** Places a restored record: it is the last one (decision G11), unless an undo gives it a position. */
  comeBack(change: Change, also?: Also): void
  /** What gives records that an undo has brought back one by one the positions that they had, and others those that are left, in their order. */
  arrange(reader: Reader, former: ReadonlyMap<string, Row>): Also[]
}

/** Other changes of a record, which are made in the same change as a new position. */
export interface Also {
  readonly id: string
  readonly changes: Row
}

/** `within`: the field whose value is the same in a group. */
export function positionsOf(resource: () => Resource, within?: string): Positions {
  const groupOf = (row: Row): SqlValue[] => (within === undefined ? [] : [row[within]!])
  const others = `workspace_id = :workspace AND deleted_at IS NULL AND id <> ?${within ? ` AND ${within} = ?` : ''}`

  function countOthers(reader: Reader, id: string, row: Row): number {
    const sql = `SELECT count(*) FROM ${resource().table} WHERE ${others}`
    return reader.value<number>(sql, id, ...groupOf(row))!
  }

  /** The others from a position to another one, which is included; default: to the last one. Each with its position after a move. */
  function moved(tx: Reader, id: string, row: Row, by: 1 | -1, from: number, to = Number.MAX_SAFE_INTEGER): Also[] {
    const sql = `SELECT id, position FROM ${resource().table} WHERE ${others} AND position BETWEEN ? AND ?`
    const rows = tx.rows<{ id: string; position: number }>(sql, id, ...groupOf(row), from, to)
    return rows.map((each) => ({ id: each.id, changes: { position: each.position + by } }))
  }

  function movedBy({ tx, id, before, given, after }: Change): Also[] {
    const isNew = !before || (within !== undefined && before[within] !== after[within])
    const last = countOthers(tx, id, after)
    const wanted = isNew && before ? given.position : after.position
    const position = Math.min(Number(wanted ?? last), last)
    after.position = position
    const former = Number(before?.position)
    if (isNew) {
      const left = before ? moved(tx, id, before, -1, former + 1) : []
      return [...left, ...moved(tx, id, after, 1, position)]
    }
    if (position === former) return []
    return position < former
      ? moved(tx, id, after, 1, position, former - 1)
      : moved(tx, id, after, -1, former + 1, position)
  }

  function apply(tx: Writer, changes: readonly Also[]): void {
    for (const each of changes) changeRow(resource(), tx, each.id, each.changes)
  }

  function place(change: Change, also?: Also): void {
    const moves = movedBy(change)
    const isMoved = moves.some(({ id }) => id === also?.id)
    const all = moves.map((each) =>
      each.id === also?.id ? { ...each, changes: { ...each.changes, ...also.changes } } : each,
    )
    apply(change.tx, also && !isMoved ? [also, ...all] : all)
  }

  return {
    place,
    leave: ({ tx, id, before }) => apply(tx, moved(tx, id, before, -1, Number(before.position) + 1)),
    comeBack(change, also) {
      change.after.position = change.given.position ?? null
      place({ ...change, before: undefined }, also)
    },
    arrange(reader, former) {
      const sql = `SELECT id, position, ${within ?? 'NULL'} AS "group" FROM ${resource().table}
        WHERE workspace_id = :workspace AND deleted_at IS NULL ORDER BY position`
      const all = reader.rows<{ id: string; position: number; group: string | null }>(sql)
      return [...Map.groupBy(all, (each) => each.group).values()].flatMap((group) => {
        const ordered = inOrder(group, ({ id }) => former.get(id)?.position)
        return ordered.flatMap(({ id, position }, at) => (position === at ? [] : { id, changes: { position: at } }))
      })
    },
  }
}

/** Each with a number at that place, and the others in their order at those that are left. */
function inOrder<T>(all: readonly T[], placeOf: (each: T) => unknown): T[] {
  const [others, placed] = [all.filter((each) => typeof placeOf(each) !== 'number'), [] as T[]]
  const wanted = all.filter((each) => typeof placeOf(each) === 'number')
  for (const each of wanted.sort((a, b) => Number(placeOf(a)) - Number(placeOf(b)))) {
    while (placed.length < Number(placeOf(each)) && others.length > 0) placed.push(others.shift()!)
    placed.push(each)
  }
  return [...placed, ...others]
}
