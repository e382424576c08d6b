import { resource } from '../engine/records/define.ts'
import type { Change, Row, Written } from '../engine/records/definition/change.ts'
import { decimal } from '../engine/records/kinds/decimal-kind.ts'
import { chosen, derived, metadata, reference, required } from '../engine/records/kinds/fields.ts'
import { text } from '../engine/records/kinds/text-kinds.ts'
import { position } from '../engine/records/kinds/value-kinds.ts'
import { lookupRow } from '../engine/records/rows/stored-row.ts'
import { requireRoom } from '../engine/records/rows/write.ts'
import { type ApiError, type Detail, validationError } from '../errors.ts'
import { decimalText, isWithin } from '../lib/decimal.ts'
import { isUndo } from '../store/change-log.ts'
import type { Reader } from '../store/reader.ts'
import { deal } from './deal.ts'
import { followItems, tooLarge, totalOf, verifySums } from './deal-sum.ts'
import { priceMax, product } from './product.ts'

/** The highest number of line items of a deal. */
const itemsMax = 200
const quantityMax = 1e9
/** Twice the largest sum of a deal: what one item can add to the other ones. */
const totalMax = 2e15

/** A product, or anything else that is sold, in a deal (decision T3). */
export const lineItem = resource('line_item', {
  path: 'api-v1-line-items',
  scope: 'deals',
  fields: {
    deal_id: required(reference(deal), 'Deal is required'),
    product_id: reference(product),
    name: chosen(text()),
    quantity: decimal({ max: quantityMax, default: 1 }),
    unit_price: chosen(decimal({ max: priceMax })),
    discount_percent: decimal({ min: 0, max: 100, default: 0 }),
    tax_percent: decimal({ min: 0, max: 100, default: 0 }),
    position: { ...position(), default: 0 },
    total: derived(decimal({ max: totalMax, default: 0 })),
    metadata: metadata(),
  },
  filters: ['name', 'deal_id', 'product_id', 'position', 'total', 'created_at', 'updated_at'],
  sorts: ['position', 'name', 'total', 'created_at', 'updated_at'],
  defaultSort: 'position',
  pageSize: { default: 50, max: 200 },
  title: ['name'],
  relations: { deal: { target: deal, by: 'deal_id' }, product: { target: product, by: 'product_id' } },
  partOf: 'deal_id',
  within: 'deal_id',
  max: itemsMax,
  amounts: { total: { currency: 'currency', of: 'deal_id' } },
  beforeWrite,
  beforeRestore: computeTotal,
  afterWrite: sumUp,
  verify: verifySums,
  about: {
    summary:
      'A product, or anything else that is sold, in a deal. The value of a deal with line items is the sum of their totals.',
    fields: {
      product_id: 'The id of a product.',
      name: 'Default: that of the product.',
      quantity: 'Exact to 6 decimals.',
      unit_price:
        'In the currency of the deal, exact to 6 decimals. Default: the price of the product, if it has the same currency.',
      discount_percent: 'Taken off the total.',
      tax_percent: 'Not part of the total.',
      position: 'The order within the deal. Equal positions are in the order of creation.',
      total:
        'Quantity × unit price, less the discount, rounded once to the smallest unit of the currency, half away from zero.',
    },
    conflicts: { create: `The deal has ${itemsMax} line items.`, patch: `The other deal has ${itemsMax} line items.` },
    example: { name: 'Christmas hamper', quantity: 20, unit_price: 49.9, discount_percent: 5, tax_percent: 19 },
    shown: { total: 948.1 },
    patch: { tax_percent: 7 },
  },
})

function beforeWrite(change: Change): void {
  const { tx, before, after } = change
  if (before && before.deal_id !== after.deal_id) requireRoom(lineItem, tx, after)
  if (!before) takeFromProduct(change)
  if (after.name === null) throw refused({ field: 'name', message: 'Name is required', code: 'REQUIRED' })
  computeTotal(change)
}

/** What a new line item does not give is that of its product. */
function takeFromProduct({ tx, after }: Change): void {
  const sold = typeof after.product_id === 'string' ? lookupRow(product, tx, after.product_id) : undefined
  after.name ??= sold?.name ?? null
  if (after.name === null) return
  if (after.unit_price === null && sold && sold.currency !== currencyOf(tx, after)) {
    const message = `The product has a price in ${sold.currency}, the deal is in ${currencyOf(tx, after)}: give a unit_price`
    throw refused({ field: 'unit_price', message, code: 'REQUIRED' })
  }
  after.unit_price ??= sold?.price ?? '0'
}

function computeTotal({ tx, after }: Change): void {
  const total = totalOf(after, currencyOf(tx, after))
  if (!isWithin(total, BigInt(totalMax))) throw tooLarge()
  after.total = decimalText(total)
}

/** The currency of an item's deal, which exists. */
function currencyOf(reader: Reader, { deal_id }: Row): string {
  const sql = 'SELECT currency FROM deal WHERE workspace_id = :workspace AND id = ?'
  return reader.value<string>(sql, deal_id!)!
}

function refused(detail: Detail): ApiError {
  return validationError([detail])
}

/** The deals that an item leaves and enters follow their items. */
function sumUp({ tx, id: item, before, after, isRestored = false, isWithWhole }: Written): void {
  if (isWithWhole) return
  for (const id of new Set([before?.deal_id, after?.deal_id])) {
    if (typeof id !== 'string') continue
    const isNew = before?.deal_id !== after?.deal_id && id === after?.deal_id
    followItems(tx, id, { item, isNew, isBack: isRestored || isUndo(tx.origin) })
  }
}
