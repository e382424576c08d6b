import type { Row } from '../engine/records/definition/change.ts'
import { type Decimal, sumOf } from '../lib/decimal.ts'
import type { Reader, SqlValue } from '../store/reader.ts'

/** The line items of a deal: those that are there, and those that leave with it or have yet to return with it. */
const fromItems = `FROM line_item INDEXED BY line_item_deal WHERE workspace_id = :workspace AND deal_id = ? AND (deleted_at IS NULL OR EXISTS (
  SELECT 1 FROM trash WHERE trash.workspace_id = :workspace AND trash.id = line_item.id AND deleted_with = line_item.deal_id))`

export function hasItems(reader: Reader, dealId: string): boolean {
  return reader.value(`SELECT 1 ${fromItems} LIMIT 1`, dealId) !== undefined
}

/** Whether a deal will have line items. `planned`: what other records will be before that, by id; null: deleted. */
export function willHaveItems(reader: Reader, dealId: string, planned: ReadonlyMap<string, Row | null>): boolean {
  const stays = `SELECT 1 ${fromItems} AND id NOT IN (SELECT value FROM json_each(?)) LIMIT 1`
  const comes = [...planned.values()].some((row) => row?.deal_id === dealId && row.unit_price !== undefined)
  return comes || reader.value(stays, dealId, JSON.stringify([...planned.keys()])) !== undefined
}

/** The exact sum of the totals of a deal's line items, and how many there are. */
export function sumItems(reader: Reader, dealId: SqlValue): { sum: Decimal; count: number } {
  const totals = reader.values<string>(`SELECT total ${fromItems}`, dealId)
  return { sum: sumOf(totals), count: totals.length }
}

/** The values that deals have again when an undo has left them without line items. `former`: as for `afterUndo`. */
export function valuesAgain(reader: Reader, former: ReadonlyMap<string, Row>): { id: string; changes: Row }[] {
  const sql = 'SELECT value, value_digits FROM deal WHERE workspace_id = :workspace AND id = ? AND deleted_at IS NULL'
  return [...former].flatMap(([id, { value, value_digits = null }]) => {
    if (value === undefined) return []
    const now = reader.row<Row>(sql, id)
    const before = { value, value_digits }
    const isSame = now === undefined || (now.value === before.value && now.value_digits === before.value_digits)
    return isSame || hasItems(reader, id) ? [] : [{ id, changes: { ...before, entered_value: value } }]
  })
}
