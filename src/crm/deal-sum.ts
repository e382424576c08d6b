import type { Row } from '../engine/records/definition/change.ts'
import { noteRow } from '../engine/records/rows/rows.ts'
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
import { packUuid } from '../lib/uuid.ts'
import { revertedBy } from '../store/change-log.ts'
import type { Reader, SqlValue, Writer } from '../store/reader.ts'
import { deal } from './deal.ts'
import { sumItems } from './deal-items.ts'

/** The largest sum of a deal, without its sign. */
const sumMax = 10n ** 15n
/** SQL: whether a change of a deal changes its value. */
const changesValue = `(previous -> '$.value' IS NOT NULL OR previous -> '$.currency' IS NOT NULL)`

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

/** An item that comes to a deal, changes, or leaves it. */
interface Moved {
  readonly item: string
  /** Whether it comes. */
  readonly isNew: boolean
  /** Whether it had it earlier: the item is restored, or an undo brings it back. */
  readonly isBack: boolean
}

/**
 * Sets the value of a deal to the exact sum of its line items. The first one replaces the entered value, which returns if an undo takes away
 * the last one; otherwise the value then stays, and is entered again. Throws VALIDATION_ERROR if the sum is too large.
 */
export function followItems(tx: Writer, id: string, moved: Moved): void {
  const row = lookupRow(deal, tx, id)
  if (!row) return
  const { sum, count } = sumItems(tx, id)
  if (!isWithin(sum, sumMax)) throw tooLarge()
  const amount = count > 0 ? amountOf(sum) : returned(tx, id, row, moved)
  const entered = count > 0 ? enteredBefore(row, count, moved) : amount.value!
  if (entered !== row.entered_value) noteRow(deal, tx, id, { entered_value: entered })
  changeRow(deal, tx, id, amount, Object.keys(amount))
}

/** The longest text of a number with decimals that SQLite always shows without the error of the double, in characters. */
const shownLength = 13

/** The columns of the value of a deal: the nearest double, and all digits where JSON would not show them otherwise. */
function amountOf(value: Decimal): Row {
  const digits = decimalText(value)
  const isShown = !digits.includes('.') || digits.length <= shownLength
  return { value: numberOf(value), value_digits: isShown ? null : digits }
}

export function tooLarge(): ApiError {
  const message = `The line items of a deal must add up to at most ${sumMax}`
  return validationError([{ field: 'total', message, code: 'OUT_OF_RANGE' }])
}

/** What was entered before the first item. If that item comes back, it is known. */
function enteredBefore({ value, entered_value }: Row, count: number, { isNew, isBack }: Moved): SqlValue {
  const isFirst = isNew && count === 1
  return isFirst && !isBack ? value! : (entered_value ?? value!)
}

/** The value of a deal without its last item. */
function returned(tx: Writer, id: string, { value, value_digits, entered_value }: Row, { item }: Moved): Row {
  const own = { value: value!, value_digits: value_digits! }
  const [since] = revertedBy(tx.origin)
  if (since === undefined) return own
  const earlier = hasLeft(tx, item, since) ? valueBefore(tx, id, since) : undefined
  if (earlier) return { value: earlier.value, value_digits: earlier.unshown?.value_digits ?? null }
  return entered_value === null ? own : { value: entered_value!, value_digits: null }
}

/** Whether an item has left a deal after a change, and before its newest one. */
function hasLeft(tx: Writer, item: string, since: number): boolean {
  const sql = `SELECT 1 FROM change INDEXED BY change_record_id CROSS JOIN change_term AS type ON type.id = change.type
    WHERE workspace_id = :workspace AND record_id = ? AND seq > ?
      AND seq < (SELECT max(seq) FROM change INDEXED BY change_record_id WHERE workspace_id = :workspace AND record_id = ?)
      AND (type.text = 'line_item.deleted' OR previous ->> '$.deal_id' IS NOT NULL) LIMIT 1`
  return tx.value(sql, packUuid(item), since, packUuid(item)) !== undefined
}

/** The value of a deal before its line items changed it after a change; undefined: they have not, or somebody has entered another one since. */
function valueBefore(tx: Writer, id: string, since: number): Former | undefined {
  const sql = `SELECT previous FROM change INDEXED BY change_record_id WHERE workspace_id = :workspace AND record_id = ? AND seq > ?
    AND ${changesValue} ORDER BY seq`
  const former = tx.values<string>(sql, packUuid(id), since).map((previous): Former => JSON.parse(previous))
  return former.every(({ derived }) => derived?.includes('value')) ? former[0] : undefined
}

interface Former {
  value: number
  unshown?: { value_digits?: string | null }
  derived?: readonly string[]
}

interface Summed {
  id: string
  value: number
  value_digits: string | null
  currency: string
  /** JSON */
  items: string
}

const dealsAtOnce = 500

/** Finds line items with a wrong total, and deals whose value is not the sum of their line items. */
export function* verifySums(reader: Reader): Generator<string> {
  const sql = `SELECT id, value, value_digits, currency, (SELECT json_group_array(json_object('id', item.id, 'quantity', quantity,
      'unit_price', unit_price, 'discount_percent', discount_percent, 'total', total))
      FROM line_item AS item INDEXED BY line_item_deal WHERE item.workspace_id = :workspace AND deal_id = deal.id AND item.deleted_at IS NULL) AS items
    FROM deal WHERE workspace_id = :workspace AND id > ? AND deleted_at IS NULL AND id IN (
      SELECT deal_id FROM line_item WHERE workspace_id = :workspace AND deleted_at IS NULL)
    ORDER BY id LIMIT ${dealsAtOnce}`
  for (let deals = reader.rows<Summed>(sql, ''); deals.length > 0; deals = reader.rows<Summed>(sql, deals.at(-1)!.id)) {
    for (const each of deals) yield* verifySum(each)
  }
}

/** A value that was a sum before an upgrade may have no digits. */
function* verifySum({ id, value, value_digits, currency, items }: Summed): Generator<string> {
  const rows: Row[] = JSON.parse(items)
  for (const row of rows)
    if (decimalText(totalOf(row, currency)) !== row.total) yield `line_item ${row.id} has a wrong total`
  const amount = amountOf(sumOf(rows.map(({ total }) => String(total))))
  if (amount.value !== value || (value_digits ?? amount.value_digits) !== amount.value_digits)
    yield `deal ${id} has a value that is not the sum of its line items`
}
