import type { Kind } from '../engine/records/definition/resource.ts'
import { pattern } from '../engine/records/kinds/text-kinds.ts'
import { currencyForm } from '../lib/currency.ts'

/** The code of a currency, by default euros. */
export function currency(): Kind {
  return { ...currencyCode(), default: 'EUR' }
}

/** The code of a currency. */
export function currencyCode(): Kind {
  return pattern(currencyForm, 'a currency code of three letters', {
    examples: ['EUR', 'CHF', 'USD'],
    store: (code) => code.toUpperCase(),
  })
}
