import { dayIn } from '../../../access/time-zone.ts'
import type { Values } from '../data/form-merge.ts'
import { now } from '../session/now.ts'
import { session } from '../session/session.ts'
import { t } from '../text/texts.ts'

/** A new exchange rate is valid from today on, in the company's time zone, if the user does not say otherwise. */
export function fromToday(of: string): Values {
  if (of !== 'exchange_rate') return {}
  return { valid_from: dayIn(session.value!.company.time_zone, now().getTime()) }
}

/** Which way a rate converts; undefined: it is another field. */
export function rateHint(of: string, name: string): string | undefined {
  if (of !== 'exchange_rate' || name !== 'rate') return undefined
  return t('What one unit is worth in {currency}', { currency: session.value!.company.currency })
}
