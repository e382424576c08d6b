import type { Hint } from '../../../files/column-hints.ts'
import { type Moment, momentIn } from '../../../files/dates.ts'
import { ambiguousDay, readNumber } from '../../../files/values.ts'
import type { DescribedField } from '../../description.ts'
import { endOfDay, parseLocal } from '../text/days.ts'
import { Invalid } from '../text/invalid.ts'
import { t } from '../text/texts.ts'

/** The value of a declared field in a cell that is not empty; `Invalid` if the text is no value of its type. */
export function valueIn(field: DescribedField, text: string, hint: Hint): unknown {
  if (field.kind === 'number') {
    const read = readNumber(text, hint)
    return typeof read === 'string' ? new Invalid(text, t('Enter a number')) : read
  }
  if (field.kind === 'flag') return flagIn(text) ?? new Invalid(text, t('Enter yes or no'))
  if (field.kind === 'date') {
    const moment = momentIn(text, hint.order)
    if (moment === 'ambiguous') return ambiguousDay(text)
    return moment?.day ?? new Invalid(text, t('Enter a date such as 2026-12-31'))
  }
  if (field.kind === 'timestamp') {
    const moment = momentIn(text, hint.order)
    if (moment === 'ambiguous') return ambiguousDay(text)
    return (moment && inZone(moment)) ?? new Invalid(text, t('Enter a date and time such as 2026-12-31 14:30'))
  }
  return field.kind === 'choice' ? optionIn(field.options!, text) : text
}

/** Reads yes and no; undefined: any other text. */
function flagIn(text: string): boolean | undefined {
  if (/^(true|yes|y|1|x|ja)$/i.test(text)) return true
  return /^(false|no|n|0|nein)$/i.test(text) ? false : undefined
}

/** A moment with a time zone, or a day with an optional time in the user's. A day alone is its end, as in forms. */
function inZone({ day, time = '', offset }: Moment): string | undefined {
  if (offset !== undefined) return new Date(`${day}T${time}${offset}`).toISOString()
  const moment = parseLocal(day, time.slice(0, 'hh:mm'.length))
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
