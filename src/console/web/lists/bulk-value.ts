import type { DescribedField } from '../../description.ts'
import { valueText } from '../parts/value-text.ts'
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
  if (isChosen(value))
    return t('{label} of {records} becomes “{value}”.', { ...values, value: valueText(field, value) })
  return field.target === 'user'
    ? t('{label} of {records} becomes nobody.', values)
    : t('{label} of {records} becomes empty.', values)
}
