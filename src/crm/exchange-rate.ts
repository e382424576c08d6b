import { dayIn } from '../access/time-zone.ts'
import { resource } from '../engine/records/define.ts'
import type { Rates } from '../engine/records/definition/options.ts'
import { decimal } from '../engine/records/kinds/decimal-kind.ts'
import { required } from '../engine/records/kinds/fields.ts'
import { date } from '../engine/records/kinds/value-kinds.ts'
import { minorPlaces } from '../lib/currency.ts'
import type { Reader } from '../store/reader.ts'
import { currencyCode } from './currency.ts'

/** What one unit of a currency is worth in the currency of the company, from a day on (decision T8). */
export const exchangeRate = resource('exchange_rate', {
  path: 'api-v1-exchange-rates',
  scope: { read: 'read:any', write: 'admin:all' },
  ofCompany: true,
  fields: {
    currency: required(currencyCode(), 'Currency is required'),
    rate: required(decimal({ min: 1e-12, max: 1e9, places: 12 }), 'Rate is required'),
    valid_from: required(date(), 'Valid from is required'),
  },
  offers: { views: false, events: false, imports: false, agents: 'none' },
  filters: ['currency', 'rate', 'valid_from', 'created_at', 'updated_at'],
  sorts: ['currency', 'valid_from', 'created_at', 'updated_at'],
  defaultSort: '-valid_from',
  pageSize: { default: 50, max: 100 },
  title: ['currency'],
  unique: 'currency',
  within: 'valid_from',
  changesReadBy: () => ['admin:all'],
  about: {
    summary:
      'What one unit of a currency is worth in the currency of the company, from a day on. The live and the test data have the same rates.',
    fields: {
      currency: 'A code of three letters, stored in upper case. It has one rate for each day.',
      rate: 'The value of one unit in the currency of the company, exact to 12 decimals.',
      valid_from: 'The day in the time zone of the company from which the rate is valid, until the next one is.',
    },
    example: { currency: 'USD', rate: 0.92, valid_from: '2026-01-01' },
    patch: { rate: 0.93 },
  },
})

/** Finds each currency, and then its latest rate, in the index: there may be a rate for each day of many years. */
const latestSql = `WITH RECURSIVE
    live (id) AS MATERIALIZED (SELECT live.id FROM workspace AS own JOIN workspace AS live USING (company_id)
      WHERE own.id = :workspace AND live.environment = 'live'),
    known (currency) AS (
      SELECT min(currency) FROM exchange_rate WHERE workspace_id = (SELECT id FROM live) AND deleted_at IS NULL
      UNION ALL SELECT (SELECT min(currency) FROM exchange_rate
        WHERE workspace_id = (SELECT id FROM live) AND deleted_at IS NULL AND currency > known.currency)
      FROM known WHERE currency IS NOT NULL)
  SELECT currency, rate FROM (
    SELECT currency, (SELECT rate FROM exchange_rate
      WHERE workspace_id = (SELECT id FROM live) AND deleted_at IS NULL AND currency = known.currency AND valid_from <= ?
      ORDER BY valid_from DESC LIMIT 1) AS rate FROM known)
  WHERE rate IS NOT NULL`

/** The rates of the company that are valid at a time: of each currency, the latest. */
export function ratesAt(reader: Reader, nowMs: number): Rates {
  const company = reader.row<{ currency: string; time_zone: string }>(
    'SELECT currency, time_zone FROM company WHERE id = (SELECT company_id FROM workspace WHERE id = :workspace)',
  )!
  const rates = reader.rows<{ currency: string; rate: string }>(latestSql, dayIn(company.time_zone, nowMs))
  const { currency } = company
  const of = Object.fromEntries([...rates.map((each) => [each.currency, each.rate]), [currency, '1']])
  return { currency, places: minorPlaces(currency), of }
}
