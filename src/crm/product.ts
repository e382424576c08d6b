import { resource } from '../engine/records/define.ts'
import { decimal } from '../engine/records/kinds/decimal-kind.ts'
import { metadata, required } from '../engine/records/kinds/fields.ts'
import { text } from '../engine/records/kinds/text-kinds.ts'
import { flag } from '../engine/records/kinds/value-kinds.ts'
import { descriptionMax } from '../lib/text.ts'
import { currency } from './currency.ts'

/** The largest price, without its sign. */
export const priceMax = 1e12

/** Something that is sold (decision T3). */
export const product = resource('product', {
  path: 'api-v1-products',
  scope: 'deals',
  fields: {
    name: required(text(), 'Name is required'),
    sku: text(),
    price: decimal({ max: priceMax, default: 0 }),
    currency: currency(),
    unit: text(),
    is_active: flag({ default: true }),
    description: text({ max: descriptionMax }),
    metadata: metadata(),
  },
  filters: ['name', 'sku', 'price', 'currency', 'is_active', 'created_at', 'updated_at'],
  sorts: ['name', 'sku', 'price', 'created_at', 'updated_at'],
  pageSize: { default: 50, max: 100 },
  amounts: { price: { currency: 'currency' } },
  summary: ['id', 'name', 'sku'],
  unique: 'sku',
  caseMatters: true,
  matchedBy: ['sku'],
  search: { fields: ['name', 'sku'], exact: ['sku'], subtitle: ['sku'] },
  about: {
    summary: 'Something that you sell.',
    fields: {
      sku: 'The article number. Unique among the products; case matters.',
      price: 'The price of one unit, exact to 6 decimals.',
      currency: 'A code of three letters, stored in upper case.',
      unit: 'What the price is for: `piece`, `hour`.',
      is_active: 'Whether it is still sold.',
    },
    example: { name: 'Christmas hamper', sku: 'XM-01', price: 49.9, currency: 'EUR', unit: 'piece' },
    patch: { price: 44.9 },
  },
})
