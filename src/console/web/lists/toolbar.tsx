import { ListFilter, Plus } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { filterField, parseFilter } from '../data/filters.ts'
import { typedMax } from '../data/find.ts'
import type { ChangeList, ListState } from '../data/list-state.ts'
import { viewOf } from '../data/resource-views.ts'
import { Icon } from '../parts/icon.tsx'
import { keyFor } from '../parts/key-presses.ts'
import { ColumnPicker } from '../saved-views/column-picker.tsx'
import { conditionsOf, hasViews, type Layout, viewParameter } from '../saved-views/saved-views.ts'
import type { Views } from '../saved-views/use-views.ts'
import { ViewPicker } from '../saved-views/view-picker.tsx'
import { declaredOf, resourceOf } from '../session/session.ts'
import { word } from '../text/format.ts'
import { language } from '../text/locale.ts'
import { noun, t } from '../text/texts.ts'
import { ConditionDialog } from './condition-dialog.tsx'
import type { Entry } from './conditions.ts'
import { FilterChip } from './filter-chip.tsx'
import { FilterDialog } from './filter-dialog.tsx'
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
  const [changing, setChanging] = useState<Entry | 'new'>()
  const filterButton = useRef<HTMLButtonElement>(null)
  const names = resourceOf(of).searched
  const searched = alternatives.format(names.map((name) => noun(word(name))))
  const removeFilter = (name: string) => {
    filterButton.current!.focus()
    const { [name]: _, ...others } = state.filters
    onChange({ filters: others })
  }
  const before = changing === 'new' ? undefined : changing
  const ofView = conditionsOf(views.chosen, Object.keys(state.filters))
  /** What the address adds to the view takes the place of all its conditions on a field. */
  const besides = ofView.some(([name]) => name === before?.[0])
    ? ofView.filter(([name]) => parseFilter(name).field === parseFilter(before![0]).field)
    : []
  return (
    <search class="toolbar">
      {names.length > 0 && (
        <input
          class="input"
          type="search"
          aria-keyshortcuts={keyFor('/')}
          aria-label={t('Search by {searched}', { searched })}
          placeholder={t('Search by {searched}', { searched })}
          maxLength={typedMax}
          value={state.q}
          onInput={(event) => onChange({ q: event.currentTarget.value })}
        />
      )}
      <button ref={filterButton} type="button" class="button" onClick={() => setFiltering(true)}>
        <Icon of={ListFilter} /> {t('Filter')}
      </button>
      <button type="button" class="button add-condition" onClick={() => setChanging('new')}>
        <Icon of={Plus} /> {t('Condition')}
      </button>
      {ofView.map(([name, value]) => (
        <FilterChip key={name} {...{ of, name, value }} isOwn={false} onChange={() => setChanging([name, value])} />
      ))}
      {Object.entries(state.filters)
        .filter(([name]) => name !== viewParameter || !hasViews(of))
        .map(([name, value]) => (
          <FilterChip
            key={name}
            {...{ of, name, value }}
            isOwn={own.includes(name)}
            onChange={() => setChanging([name, value])}
            onRemove={() => removeFilter(name)}
          />
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
      {changing && (
        <ConditionDialog
          of={of}
          given={before}
          filtersWith={(entry) => {
            const others = [...besides, ...Object.entries(state.filters)].filter(([name]) => name !== before?.[0])
            return Object.fromEntries([...others, entry])
          }}
          onApply={(filters) => {
            onChange({ filters })
            setChanging(undefined)
          }}
          onClose={() => setChanging(undefined)}
        />
      )}
    </search>
  )
}
