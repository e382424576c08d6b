import { X } from 'lucide'
import type { DescribedField } from '../../description.ts'
import { filterField, parseFilter } from '../data/filters.ts'
import { useNames } from '../data/record-names.ts'
import { Icon } from '../parts/icon.tsx'
import { valueText } from '../parts/value-text.ts'
import { parseLocal } from '../text/days.ts'
import { day, moment, word } from '../text/format.ts'
import { noun, type Text, t } from '../text/texts.ts'
import { dayKinds } from './filter-dialog.tsx'

interface FilterChipProps {
  of: string
  name: string
  value: string
  /** Whether a wide page shows it in another way. */
  isOwn: boolean
  onChange: () => void
  /** Undefined: it stays, as one of the view. */
  onRemove?: () => void
}

/** A condition of a list, which it changes and removes. */
export function FilterChip({ of, name, value, isOwn, onChange, onRemove }: FilterChipProps) {
  const { field, operator } = parseFilter(name)
  const given = filterField(of, field)
  const { label, target } = given
  const found = useNames(value === 'null' ? undefined : target, value)
  const shown = target && value !== 'null' ? (found ?? '…') : textOf(given, value)
  const isFilled = operator === 'ne' && value === 'null'
  const text = isFilled
    ? t('{label} not empty', { label })
    : t(chips[operator] ?? '{label} {value}', { label, value: shown })
  return (
    <span class={isOwn ? 'chip own' : 'chip'}>
      <button type="button" class="change" title={t('Change condition')} onClick={onChange}>
        {text}
      </button>
      {onRemove && (
        <button type="button" aria-label={t('Remove filter: {text}', { text })} onClick={onRemove}>
          <Icon of={X} />
        </button>
      )}
    </span>
  )
}

/** A field with its value, by operator. */
const chips: Record<string, Text> = {
  gte: '{label} from {value}',
  gt: '{label} after {value}',
  lte: '{label} to {value}',
  lt: '{label} before {value}',
  like: '{label} has {value}',
  ne: '{label} not {value}',
  in: '{label} in {value}',
}

function textOf(field: DescribedField, value: string): string {
  const { kind, declared } = field
  if (value === 'null') return noun(t('None'))
  if (dayKinds.includes(kind) && parseLocal(value)) return day(value)
  if (dayKinds.includes(kind)) return Number.isNaN(Date.parse(value)) ? value : moment(value)
  if (kind === 'choices') return value.split(',').join(', ')
  if (kind === 'choice' && declared) return value
  if (kind === 'flag') return valueText(field, value === 'true')
  return kind === 'choice' ? value.split(',').map(word).join(', ') : value
}
