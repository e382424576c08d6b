import type { DescribedField } from '../../description.ts'
import { isMoment } from '../data/declared.ts'
import { endOfDay, parseLocal } from '../text/days.ts'
import { parseDecimal } from '../text/decimal.ts'
import { Invalid } from '../text/invalid.ts'
import { t } from '../text/texts.ts'

/** The value of a declared field in a cell that is not empty; `Invalid` if the text is no value of its type. */
export function valueIn(field: DescribedField, text: string): unknown {
  if (field.kind === 'number') return parseDecimal(text)
  if (field.kind === 'flag') return flagIn(text) ?? new Invalid(text, t('Enter yes or no'))
  if (field.kind === 'date') return dayIn(text) ?? new Invalid(text, t('Enter a date such as 2026-12-31'))
  if (field.kind === 'timestamp') {
    return momentIn(text) ?? new Invalid(text, t('Enter a date and time such as 2026-12-31 14:30'))
  }
  return field.kind === 'choice' ? optionIn(field.options!, text) : text
}

/** Reads yes and no; undefined: any other text. */
function flagIn(text: string): boolean | undefined {
  if (/^(true|yes|y|1|x|ja)$/i.test(text)) return true
  return /^(false|no|n|0|nein)$/i.test(text) ? false : undefined
}

/** `2026-12-31`, `31.12.2026`. Slashes would be ambiguous. */
function dayIn(text: string): string | undefined {
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? []
  const iso = year ? `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}` : text
  return parseLocal(iso) && iso
}

/** A moment with a time zone, or a day with an optional time in the user's. A day alone is its end, as in forms. */
function momentIn(text: string): string | undefined {
  if (text.includes('T') && isMoment(text)) return new Date(text).toISOString()
  const [, dayText = '', time = ''] = /^(\S+?)(?:[T ]+(\d\d:\d\d)(?::00)?)?$/.exec(text) ?? []
  const day = dayIn(dayText)
  const moment = day && parseLocal(day, time)
  return moment && (time === '' ? endOfDay(moment) : moment).toISOString()
}

function optionIn(options: readonly string[], text: string): string | Invalid {
  const found =
    options.find((option) => option === text) ?? options.find((option) => caseless(option) === caseless(text))
  return found ?? new Invalid(text, t('Enter one of: {options}', { options: options.join(', ') }))
}

function caseless(text: string): string {
  return text.trim().toLowerCase()
}
