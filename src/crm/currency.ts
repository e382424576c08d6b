import type { Kind } from '../engine/records/definition/resource.ts'
import { pattern } from '../engine/records/kinds/text-kinds.ts'

/** The code of a currency. */
export function currency(): Kind {
  return pattern(/^[A-Za-z]{3}$/, 'a currency code of three letters', {
    examples: ['EUR', 'CHF', 'USD'],
    default: 'EUR',
    store: (code) => code.toUpperCase(),
  })
}
