import type { Values } from '../data/form-merge.ts'
import { now } from '../session/now.ts'
import { session } from '../session/session.ts'
import { localDay } from '../text/days.ts'
import { t } from '../text/texts.ts'

/** A new exchange rate is valid from today on, if the user does not say otherwise. */
export function fromToday(of: string): Values {
  return of === 'exchange_rate' ? { valid_from: localDay(now()) } : {}
}

/** Which way a rate converts; undefined: it is another field. */
export function rateHint(of: string, name: string): string | undefined {
  if (of !== 'exchange_rate' || name !== 'rate') return undefined
  return t('What one unit is worth in {currency}', { currency: session.value!.company.currency })
}
