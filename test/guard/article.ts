/** A further resource, as a file of src/crm. */
export const definition = `
import { collection, resource } from '../engine/records/define.ts'
import { metadata, reference, required } from '../engine/records/kinds/fields.ts'
import { choice, choices, pattern, text } from '../engine/records/kinds/text-kinds.ts'
import { date, flag, number } from '../engine/records/kinds/value-kinds.ts'
import { organization } from './organization.ts'

/** An article that is sold. */
export const article = resource('article', {
  path: 'api-v1-articles',
  scope: 'organizations',
  fields: {
    name: required(text(), 'Name is required'),
    sku: text(),
    price: number({ min: 0, default: 0 }),
    currency: pattern(/^[A-Za-z]{3}$/, 'a currency code of three letters', {
      examples: ['EUR', 'CHF', 'USD'],
      default: 'EUR',
      store: (code) => code.toUpperCase(),
    }),
    is_active: flag({ default: true }),
    channels: choices(['shop', 'web', 'phone']),
    description: text({ max: 100_000 }),
    organization_id: reference(organization),
    metadata: metadata(),
  },
  filters: ['name', 'sku', 'price', 'currency', 'is_active', 'organization_id', 'created_at', 'updated_at'],
  sorts: ['name', 'sku', 'price', 'created_at', 'updated_at'],
  pageSize: { default: 50, max: 100 },
  relations: { organization: { target: organization, by: 'organization_id' } },
  collections: {
    seats: collection({
      table: 'article_seat',
      owner: 'article_id',
      as: 'article_seats',
      item: 'seat',
      fields: {
        label: choice(['standard', 'admin'], { default: 'standard' }),
        since: date(),
        name: required(text(), 'Name is required'),
      },
      filters: [],
      complete() {},
      about: {
        first: { label: 'standard', since: '2026-06-15', name: 'Ada' },
        second: { label: 'admin', since: '2026-06-16', name: 'Grace' },
        patch: { label: 'admin' },
      },
    }),
    sizes: collection({
      table: 'article_size',
      owner: 'article_id',
      as: 'article_sizes',
      item: 'size',
      fields: { size: choice(['small', 'large'], { default: 'small' }) },
      filters: [],
      complete() {},
      about: { first: { size: 'small' }, second: { size: 'large' }, patch: { size: 'large' } },
    }),
  },
  summary: ['id', 'name'],
  unique: 'sku',
  search: { fields: ['name', 'sku'], exact: ['sku'], subtitle: ['sku'] },
  about: {
    summary: 'An article that is sold.',
    fields: { sku: 'Differs from that of every other article, case-insensitively.', organization_id: 'Its supplier.' },
    example: { name: 'Christmas hamper', sku: 'HAMPER-1', price: 49.5, description: 'With wine and cheese.' },
    patch: { price: 52 },
  },
})
`.trimStart()
