import type { DescribedField } from '../../description.ts'
import { isChoice } from '../data/choice.ts'
import { textOf } from '../data/metadata.ts'
import { momentOf } from '../text/days.ts'
import { day, exactNumber, exactPercent, moment, word } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { isPercent } from './value.tsx'

/** A value of a field, which is not empty, as text. */
export function valueText(field: DescribedField, value: unknown): string {
  if (isChoice(value)) return value.label
  if (Array.isArray(value)) return value.map((each) => valueText(field, each)).join(', ')
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  if (typeof value === 'number') return isPercent(field) ? exactPercent(value) : exactNumber(value)
  if (typeof value !== 'string') return textOf(value)
  if (field.kind === 'date') return day(value)
  if (field.kind === 'timestamp') return moment(momentOf(field.name, value))
  return !field.declared && ['choice', 'choices'].includes(field.kind) ? word(value) : value
}
