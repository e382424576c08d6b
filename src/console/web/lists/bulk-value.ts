import type { DescribedField } from '../../description.ts'
import { isChoice } from '../data/choice.ts'
import { textOf } from '../data/metadata.ts'
import { isPercent } from '../parts/value.tsx'
import { day, exactNumber, moment, word } from '../text/format.ts'
import { Invalid } from '../text/invalid.ts'
import { t } from '../text/texts.ts'
import { countText } from '../undo/undo.ts'

/** Whether a form's value is one to set. Invalid input is: sending it says what is wrong. */
export function isChosen(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined && value !== ''
}

/** Whether a record may have no value in a field: the server requires none and fills none in. */
export function mayBeEmpty({ required, chosen, default: filled, kind, declared }: DescribedField): boolean {
  const isFilled = chosen || (filled !== undefined && filled !== null)
  return !required && !isFilled && (kind !== 'flag' || declared === true)
}

/** What setting a field does to how many records, in a sentence; '' for invalid input. `value`: of a form, null to empty the field. */
export function outcomeText(of: string, field: DescribedField, value: unknown, count: number): string {
  if (value instanceof Invalid) return ''
  const values = { records: countText(of, count), label: field.label }
  if (isChosen(value)) return t('{label} of {records} becomes “{value}”.', { ...values, value: shown(field, value) })
  return field.target === 'user'
    ? t('{label} of {records} becomes nobody.', values)
    : t('{label} of {records} becomes empty.', values)
}

function shown(field: DescribedField, value: unknown): string {
  if (isChoice(value)) return value.label
  if (Array.isArray(value)) return value.map((each) => shown(field, each)).join(', ')
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  if (typeof value === 'number') return isPercent(field) ? `${exactNumber(value)} %` : exactNumber(value)
  if (typeof value !== 'string') return textOf(value)
  if (field.kind === 'date') return day(value)
  if (field.kind === 'timestamp') return moment(value)
  return !field.declared && ['choice', 'choices'].includes(field.kind) ? word(value) : value
}
