import { ListFilter, X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { DescribedField } from '../../description.ts'
import { filterField, parseFilter } from '../data/filters.ts'
import type { ChangeList, ListState } from '../data/list-state.ts'
import { useNames } from '../data/record-names.ts'
import { viewOf } from '../data/resource-views.ts'
import { Icon } from '../parts/icon.tsx'
import { keyFor } from '../parts/key-presses.ts'
import { ColumnPicker } from '../saved-views/column-picker.tsx'
import { hasViews, type Layout, viewParameter } from '../saved-views/saved-views.ts'
import type { Views } from '../saved-views/use-views.ts'
import { ViewPicker } from '../saved-views/view-picker.tsx'
import { declaredOf, resourceOf } from '../session/session.ts'
import { parseLocal } from '../text/days.ts'
import { day, word } from '../text/format.ts'
import { language } from '../text/locale.ts'
import { noun, type Text, t } from '../text/texts.ts'
import { dayKinds, FilterDialog } from './filter-dialog.tsx'
import { SearchOffers } from './search-offers.tsx'

interface ToolbarProps {
  of: string
  state: ListState
  views: Views
  /** The columns that a new view keeps; default: none. */
  columns?: readonly string[]
  /** How the page shows the records; default: as a list. */
  layout?: Layout
  onChange: ChangeList
  /** The filters that `children` show instead of a chip, except on a phone. */
  own?: readonly string[]
  /** Shown at the end. */
  children?: ComponentChildren
}

const alternatives = new Intl.ListFormat(language, { type: 'disjunction' })

/** Search and filters above a list. */
export function Toolbar({ of, state, views, columns, layout = 'list', onChange, own = [], children }: ToolbarProps) {
  const { filters } = viewOf(of)
  const [filtering, setFiltering] = useState(false)
  const filterButton = useRef<HTMLButtonElement>(null)
  const names = resourceOf(of).searched
  const searched = alternatives.format(names.map((name) => noun(word(name))))
  const removeFilter = (name: string) => {
    filterButton.current!.focus()
    onChange({ filters: Object.fromEntries(Object.entries(state.filters).filter(([each]) => each !== name)) })
  }
  return (
    <search class="toolbar">
      {names.length > 0 && (
        <input
          class="input"
          type="search"
          aria-keyshortcuts={keyFor('/')}
          aria-label={t('Search by {searched}', { searched })}
          placeholder={t('Search by {searched}', { searched })}
          value={state.q}
          onInput={(event) => onChange({ q: event.currentTarget.value })}
        />
      )}
      <button ref={filterButton} type="button" class="button" onClick={() => setFiltering(true)}>
        <Icon of={ListFilter} /> {t('Filter')}
      </button>
      {Object.entries(state.filters)
        .filter(([name]) => name !== viewParameter || !hasViews(of))
        .map(([name, value]) => (
          <Chip key={name} {...{ of, name, value }} isOwn={own.includes(name)} onRemove={() => removeFilter(name)} />
        ))}
      <ViewPicker {...{ of, state, views, columns, layout, onChange }} />
      {columns && <ColumnPicker {...{ of, columns }} view={views.chosen} />}
      {children}
      <SearchOffers {...{ of, state, onChange }} />
      {filtering && (
        <FilterDialog
          fields={[...filters.map((name) => filterField(of, name)), ...declaredOf(of)]}
          filters={state.filters}
          onApply={(chosen) => {
            onChange({ filters: chosen })
            setFiltering(false)
          }}
          onClose={() => setFiltering(false)}
        />
      )}
    </search>
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

interface ChipProps {
  of: string
  name: string
  value: string
  /** Whether a wide page shows it in another way. */
  isOwn: boolean
  onRemove: () => void
}

function Chip({ of, name, value, isOwn, onRemove }: ChipProps) {
  const { field, operator } = parseFilter(name)
  const given = filterField(of, field)
  const { label, target } = given
  const found = useNames(value === 'null' ? undefined : target, value)
  const shown = target && value !== 'null' ? (found ?? '…') : valueText(given, value)
  const text = t(chips[operator] ?? '{label} {value}', { label, value: shown })
  return (
    <span class={isOwn ? 'chip own' : 'chip'}>
      {text}
      <button type="button" aria-label={t('Remove filter: {text}', { text })} onClick={onRemove}>
        <Icon of={X} />
      </button>
    </span>
  )
}

function valueText({ kind, declared }: DescribedField, value: string): string {
  if (value === 'null') return noun(t('None'))
  if (dayKinds.includes(kind)) return parseLocal(value) ? day(value) : value
  if (kind === 'choices') return value.split(',').join(', ')
  if (kind === 'choice' && declared) return value
  return kind === 'choice' || kind === 'flag' ? value.split(',').map(word).join(', ') : value
}
