import { ApiError } from '../../../errors.ts'
import { decimalText, plus, readDecimal, zero } from '../../../lib/decimal.ts'
import { isRawNumber, parseExact, rawNumber, survives } from '../../../lib/exact-json.ts'
import type { Choice } from '../data/choice.ts'
import { queryOf } from '../data/find.ts'
import { download, get, patch, post, withRequestId } from '../data/http.ts'
import { newOnce, type Once } from '../data/once.ts'
import type { Row } from '../data/resource-views.ts'
import { resourceOf } from '../session/session.ts'
import { exactMoney } from '../text/format.ts'
import { t } from '../text/texts.ts'

/** The cells of a row, in their order. */
export const cellNames = ['product_id', 'name', 'quantity', 'unit_price', 'discount_percent', 'tax_percent'] as const
export type CellName = (typeof cellNames)[number]

/** A line item. Numbers are the digits that the server has sent. */
export interface Item {
  id: string
  position: number
  total: string
  cells: Record<Exclude<CellName, 'product_id'>, string> & { product_id: Choice | null }
}

/** Values of cells: numbers as their digits. */
export type CellValues = Partial<Record<CellName, string | null>>

/** What cells had when typing into them began. */
export type CellsBefore = Partial<Item['cells']>

/** The highest number of line items of a deal. */
const itemsMax = 200

const path = () => `/${resourceOf('line_item').path}`

/** The line items of a deal in their order. */
export async function loadItems(dealId: string): Promise<Item[]> {
  const query = new URLSearchParams({ 'filter[deal_id]': dealId, limit: String(itemsMax), include: 'product' })
  return (await listExactly(`${path()}?${query}`)).map(itemOf)
}

/** The records of a list, in which longer numbers keep their digits. */
async function listExactly(path: string): Promise<Row[]> {
  const file = await download(path, 'application/json')
  return (parseExact(await file.text()) as { data: Row[] }).data
}

function itemOf(row: Row): Item {
  const { id, position, product } = row
  return {
    ...{ id, position },
    total: digitsOf(row.total),
    cells: {
      product_id: product ? { id: product.id, label: product.name } : null,
      name: row.name,
      quantity: digitsOf(row.quantity),
      unit_price: digitsOf(row.unit_price),
      discount_percent: digitsOf(row.discount_percent),
      tax_percent: digitsOf(row.tax_percent),
    },
  }
}

function digitsOf(value: unknown): string {
  return isRawNumber(value) ? value.rawJSON : String(value)
}

/** The exact sum of the totals. */
export function sumOf(items: readonly Item[]): string {
  return decimalText(items.reduce((sum, { total }) => plus(sum, readDecimal(total) ?? zero), zero))
}

/** A line item as it is sent at first. If the answer is lost, it is sent again like this. */
export interface NewItem {
  values: CellValues
  position: number
  once: Once
}

/** A line item after the others. */
export function newItem(values: CellValues, items: readonly Item[]): NewItem {
  return { values, position: Math.max(-1, ...items.map((each) => each.position)) + 1, once: newOnce() }
}

export function createItem(dealId: string, { values, position, once }: NewItem): Promise<Row> {
  return post<Row>(path(), { deal_id: dealId, position, ...bodyOf(values) }, once)
}

/**
 * Changes cells of a line item. Throws CONFLICT if one of them is not what it was when it was read. One that is already as it shall be may have
 * been saved before: the answer was lost.
 */
export async function changeItem({ id, cells }: Item, values: CellValues): Promise<Row> {
  const now = await get<Row>(`${path()}/${id}`)
  const isOther = (name: CellName) => !isSame(cells[name], now[name]) && !isSame(values[name] ?? null, now[name])
  const changed = (Object.keys(values) as CellName[]).filter(isOther)
  if (changed.length > 0) {
    const message = t('Somebody else has changed it. Enter saves yours, Escape takes theirs.')
    throw new ApiError('CONFLICT', message, {
      details: changed.map((field) => ({ field, message, code: 'INVALID_VALUE' })),
    })
  }
  return patch<Row>(`${path()}/${id}`, bodyOf(values), now)
}

/** Whether a cell is what the server has. A number that was read as a double is compared as one. */
function isSame(cell: Item['cells'][CellName], value: unknown): boolean {
  if (typeof value === 'number') return Number(cell) === value
  return (typeof cell === 'object' ? (cell?.id ?? null) : cell) === value
}

const texts: readonly CellName[] = ['product_id', 'name']

function bodyOf(values: CellValues): object {
  const entries = Object.entries(values).map(([name, value]) => {
    if (value === null || texts.includes(name as CellName)) return [name, value]
    return [name, survives(value) ? Number(value) : rawNumber(value)]
  })
  return Object.fromEntries(entries)
}

/** Moves a line item up or down by one place. */
export function moveItem(items: readonly Item[], item: Item, by: 1 | -1): Promise<object> {
  const order = items.filter((each) => each !== item)
  order.splice(items.indexOf(item) + by, 0, item)
  const moved = order.flatMap(({ id, position }, at) => (position === at ? [] : [{ id, at }]))
  return withRequestId(async (shared) => {
    for (const { id, at } of moved) await patch(`${path()}/${id}`, { position: at }, undefined, shared)
    return moved
  })
}

/** A product that is offered. */
export interface Offered extends Choice {
  /** Its price, if it is in the currency of the deal. */
  price: string | null
}

const offeredMax = 8

/** The active products that a text fits best; without a text, the first ones. */
export async function searchProducts(text: string, currency: string): Promise<Offered[]> {
  const q = queryOf(text)
  const query = { is_active: 'true', limit: String(offeredMax), ...(q === '' ? { sort: 'name' } : { q }) }
  const found = await listExactly(`/${resourceOf('product').path}?${new URLSearchParams(query)}`)
  return found.map((product) => ({
    id: product.id,
    label: product.name,
    matched: [product.sku, exactMoney(digitsOf(product.price), product.currency)].filter(Boolean).join(' · '),
    price: product.currency === currency ? digitsOf(product.price) : null,
  }))
}
