import type { Row } from '../engine/records/definition/change.ts'
import { lookupRow } from '../engine/records/rows/stored-row.ts'
import { changeRow } from '../engine/records/rows/write.ts'
import { type ApiError, validationError } from '../errors.ts'
import { minorPlaces } from '../lib/currency.ts'
import {
  type Decimal,
  decimalText,
  isWithin,
  minus,
  numberOf,
  readDecimal,
  rounded,
  sumOf,
  times,
} from '../lib/decimal.ts'
import { isUndo } from '../store/change-log.ts'
import type { Reader, SqlValue, Writer } from '../store/reader.ts'
import { deal } from './deal.ts'
import { sumItems } from './deal-items.ts'

/** The largest sum of a deal, without its sign. */
const sumMax = 10n ** 15n

/** Quantity × unit price, less the discount, rounded once to the smallest unit of a currency. */
export function totalOf({ quantity, unit_price, discount_percent }: Row, currency: string): Decimal {
  const [count, price, discount] = [quantity, unit_price, discount_percent].map(exact)
  const percent = minus({ units: 100n, places: 0 }, discount!)
  const { units, places } = times(times(count!, price!), percent)
  return rounded({ units, places: places + 2 }, minorPlaces(currency))
}

function exact(stored: SqlValue | undefined) {
  return readDecimal(String(stored))!
}

/** How an item has come to a deal. */
interface Arrival {
  /** Whether the deal did not have it before. */
  readonly isNew: boolean
  /** Whether it had it earlier: the item is restored, or an undo brings it back. */
  readonly isBack: boolean
}

/**
 * Sets the value of a deal to the exact sum of its line items. The first one replaces the entered value, which returns if an undo takes away
 * the last one; otherwise the value then stays, and counts as entered. Throws VALIDATION_ERROR if the sum is too large.
 */
export function followItems(tx: Writer, id: string, arrival: Arrival): void {
  const row = lookupRow(deal, tx, id)
  if (!row) return
  const { sum, count } = sumItems(tx, id)
  if (!isWithin(sum, sumMax)) throw tooLarge()
  const value = numberOf(sum)
  const changes = count > 0 ? { value, ...entered(row, value, count, arrival) } : returned(tx, row)
  changeRow(deal, tx, id, changes, ['value'])
}

export function tooLarge(): ApiError {
  const message = `The line items of a deal must add up to at most ${sumMax}`
  return validationError([{ field: 'total', message, code: 'OUT_OF_RANGE' }])
}

/** What was entered before the first item, once it differs from the sum. If that item comes back, it is known. */
function entered(row: Row, sum: number, count: number, { isNew, isBack }: Arrival): Row {
  const isKnown = row.entered_value !== null && (count > 1 || !isNew || isBack)
  if (isKnown || (row.entered_value === null && row.value === sum)) return {}
  return { entered_value: row.value! }
}

function returned(tx: Writer, { value, entered_value }: Row): Row {
  return { value: isUndo(tx.origin) ? (entered_value ?? value!) : value! }
}

interface Summed {
  id: string
  value: number
  currency: string
  /** JSON */
  items: string
}

const dealsAtOnce = 500

/** Finds line items with a wrong total, and deals whose value is not the sum of their line items. */
export function* verifySums(reader: Reader): Generator<string> {
  const sql = `SELECT id, value, currency, (SELECT json_group_array(json_object('id', item.id, 'quantity', quantity,
      'unit_price', unit_price, 'discount_percent', discount_percent, 'total', total))
      FROM line_item AS item WHERE item.workspace_id = :workspace AND deal_id = deal.id AND item.deleted_at IS NULL) AS items
    FROM deal WHERE workspace_id = :workspace AND id > ? AND deleted_at IS NULL AND id IN (
      SELECT deal_id FROM line_item WHERE workspace_id = :workspace AND deleted_at IS NULL)
    ORDER BY id LIMIT ${dealsAtOnce}`
  for (let deals = reader.rows<Summed>(sql, ''); deals.length > 0; deals = reader.rows<Summed>(sql, deals.at(-1)!.id)) {
    for (const each of deals) yield* verifySum(each)
  }
}

function* verifySum({ id, value, currency, items }: Summed): Generator<string> {
  const rows: Row[] = JSON.parse(items)
  for (const row of rows)
    if (decimalText(totalOf(row, currency)) !== row.total) yield `line_item ${row.id} has a wrong total`
  if (numberOf(sumOf(rows.map(({ total }) => String(total)))) !== value)
    yield `deal ${id} has a value that is not the sum of its line items`
}
