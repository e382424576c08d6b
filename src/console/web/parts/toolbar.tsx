import { ListFilter, X } from 'lucide'
import { useState } from 'preact/hooks'
import type { DescribedField } from '../../description.ts'
import { word } from '../format.ts'
import type { ListState } from '../list-state.ts'
import { resourceOf } from '../session.ts'
import { views } from '../views.ts'
import type { Choice } from './combobox.tsx'
import { Dialog } from './dialog.tsx'
import { FieldInput } from './field-input.tsx'
import { Icon } from './icon.tsx'

interface ToolbarProps {
  of: string
  state: ListState
  onChange: (change: Partial<ListState>) => void
}

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' })

/** Search and filters above a list. */
export function Toolbar({ of, state, onChange }: ToolbarProps) {
  const { search, filters } = views[of]!
  const [filtering, setFiltering] = useState(false)
  const sought = alternatives.format(search.map((name) => word(name).toLowerCase()))
  const without = (name: string) => Object.fromEntries(Object.entries(state.filters).filter(([each]) => each !== name))
  return (
    <search class="toolbar">
      <input
        class="input"
        type="search"
        aria-label={`Search by ${sought}`}
        placeholder={`Search by ${sought}`}
        value={state.q}
        onInput={(event) => onChange({ q: event.currentTarget.value })}
      />
      <button type="button" class="button" onClick={() => setFiltering(true)}>
        <Icon of={ListFilter} /> Filter
      </button>
      {Object.entries(state.filters).map(([name, value]) => (
        <Chip key={name} name={name} value={value} onRemove={() => onChange({ filters: without(name) })} />
      ))}
      {filtering && (
        <FilterDialog
          fields={filters.map((name) => filterField(of, name))}
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

const signs: Record<string, string> = { gte: 'from', lte: 'to', like: 'has' }
/** What references in filters are called; the address knows their ids only. */
const names = new Map<string, string>()

function Chip({ name, value, onRemove }: { name: string; value: string; onRemove: () => void }) {
  const [, field = name, operator = ''] = /^(\w+)(?:\[(\w+)\])?$/.exec(name) ?? []
  const label = word(field.replace(/_id$|_at$/, ''))
  const text = `${label} ${signs[operator] ?? ''} ${names.get(value) ?? (/^[\da-f-]{36}$/.test(value) ? 'as chosen' : word(value))}`
  return (
    <span class="chip">
      {text}
      <button type="button" aria-label={`Remove filter: ${text}`} onClick={onRemove}>
        <Icon of={X} />
      </button>
    </span>
  )
}

/** A day's filter is a span: from and to. */
const spans = ['date', 'timestamp', 'moment']

function filterField(of: string, name: string): DescribedField {
  const field = resourceOf(of).fields.find((each) => each.name === name)
  return field ?? { name, label: word(name.replace(/_at$/, '')), kind: 'moment', required: false, readonly: true }
}

interface FilterDialogProps {
  fields: DescribedField[]
  filters: Record<string, string>
  onApply: (filters: Record<string, string>) => void
  onClose: () => void
}

function FilterDialog({ fields, filters, onApply, onClose }: FilterDialogProps) {
  const [values, setValues] = useState<Record<string, string>>(filters)
  const set = (name: string) => (value: unknown) => {
    const choice = value as Choice | null
    if (choice && typeof choice === 'object') names.set(choice.id, choice.label)
    setValues((before) => ({ ...before, [name]: textOf(value) }))
  }
  const apply = (event: Event) => {
    event.preventDefault()
    onApply(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')))
  }
  return (
    <Dialog title="Filter" onClose={onClose}>
      <form class="stack" onSubmit={apply}>
        <div class="fields">
          {fields.flatMap(inputsOf).map(({ name, field }) => (
            <FieldInput
              key={name}
              field={field}
              value={
                values[name]
                  ? names.has(values[name])
                    ? { id: values[name], label: names.get(values[name]) }
                    : values[name]
                  : null
              }
              onValue={set(name)}
            />
          ))}
        </div>
        <div class="actions">
          <button type="button" class="button" onClick={() => onApply({})}>
            Clear all
          </button>
          <button type="submit" class="button primary">
            Show
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** Each with the parameter that it fills; none has a default. */
function inputsOf(field: DescribedField): { name: string; field: DescribedField }[] {
  const { default: _, ...plain } = { ...field, required: true } // that a filter is optional need not be said
  if (spans.includes(field.kind)) {
    return ['gte', 'lte'].map((operator) => ({
      name: `${field.name}[${operator}]`,
      field: { ...plain, kind: 'date', label: `${field.label} ${signs[operator]}` },
    }))
  }
  if (field.kind === 'flag')
    return [{ name: field.name, field: { ...plain, kind: 'choice', options: ['true', 'false'] } }]
  if (field.kind === 'text') return [{ name: `${field.name}[like]`, field: plain }]
  return [{ name: field.name, field: plain }]
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? (value as Choice).id : String(value)
}
