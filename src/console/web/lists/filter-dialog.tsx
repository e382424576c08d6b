import { useId, useState } from 'preact/hooks'
import type { DescribedField } from '../../description.ts'
import { type Choice, isChoice } from '../data/choice.ts'
import { tooLong } from '../data/filters.ts'
import type { Values } from '../data/form-merge.ts'
import { cacheName, useNames } from '../data/record-names.ts'
import { FieldInput } from '../forms/field-input.tsx'
import { Form } from '../forms/form.tsx'
import { type FormState, useForm } from '../forms/use-form.ts'
import { Dialog } from '../parts/dialog.tsx'
import { session } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { filterSpans } from './filter-spans.ts'

/** Kinds that are filtered by a first and a last day. */
export const dayKinds = ['date', 'timestamp', 'moment']
/** Kinds that are filtered by a lowest and a highest number. */
export const numberKinds = ['number', 'position']
/** Kinds that are filtered by a part of the text. */
export const likeKinds = ['text', 'email', 'url', 'phone']
/** The filter that finds records without a value. */
const nothing = 'null'

interface FilterDialogProps {
  fields: DescribedField[]
  filters: Record<string, string>
  onApply: (filters: Record<string, string>) => void
  onClose: () => void
}

/** Chooses the filters of a list. */
export function FilterDialog({ fields, filters, onApply, onClose }: FilterDialogProps) {
  const form = useForm<Values, Values>({
    initial: filters,
    faults: (values) => {
      const given = filtersIn(values)
      const changed = Object.keys(given).filter((name) => given[name] !== filters[name])
      const [longest] = changed.sort((one, other) => given[other]!.length - given[one]!.length)
      return longest === undefined ? [] : tooLong(given, longest)
    },
    save: async (values) => values,
    onSaved: (values) => onApply(filtersIn(values)),
  })
  return (
    <Dialog title={t('Filter')} onClose={onClose}>
      <Form of={form} verb={t('Show')} other={{ label: t('Clear all'), onClick: () => onApply({}) }}>
        <div class="fields">
          {fields.map((field) => {
            const isDay = dayKinds.includes(field.kind)
            if (isDay || numberKinds.includes(field.kind)) return <Range key={field.name} {...{ field, form, isDay }} />
            const [name, plain] = inputOf(field)
            return <FilterInput key={name} field={plain} {...form.field(name)} />
          })}
        </div>
      </Form>
    </Dialog>
  )
}

function filtersIn(values: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(values).flatMap(entryFor))
}

/** A filter's entry in the address: a reference by its id. An empty value means no filter. */
function entryFor([name, value]: [string, unknown]): [name: string, value: string][] {
  if (value === null || value === undefined || value === '') return []
  return [[name, isChoice(value) ? value.id : String(value)]]
}

interface RangeProps {
  field: DescribedField
  form: FormState<Values>
  isDay: boolean
}

/** The first and the last day, or the lowest and the highest number. */
function Range({ field, form, isDay }: RangeProps) {
  const { name, label } = field
  const { default: _, chosen: __, declared: ___, ...plain } = field
  const [from, to] = [`${name}[gte]`, `${name}[lte]`]
  const [turn, setTurn] = useState(0) // inputs of days keep what they show
  const bound = (parameter: string, text: string) => (
    <FilterInput
      key={`${parameter} ${turn}`}
      field={{ ...plain, required: true, kind: isDay ? 'date' : 'number', label: text }}
      {...form.field(parameter)}
    />
  )
  return (
    <fieldset class="wide range">
      {isDay && <Period {...{ field, form, from, to }} onFilled={() => setTurn(turn + 1)} />}
      {bound(from, t('{label} from', { label }))}
      {bound(to, t('{label} to', { label }))}
    </fieldset>
  )
}

interface PeriodProps extends Pick<RangeProps, 'field' | 'form'> {
  /** The parameters of the first and of the last day. */
  from: string
  to: string
  onFilled: () => void
}

/** Fills in both days. */
function Period({ field, form, from, to, onFilled }: PeriodProps) {
  const id = useId()
  const { name, label, required, readonly } = field
  const spans = filterSpans()
  const { values } = form
  const chosen =
    values[name] === nothing
      ? nothing
      : spans.findIndex((span) => span.from === values[from] && span.to === values[to]).toString()
  const choose = (value: string) => {
    const span = spans[Number(value)]
    form.set({ [name]: value === nothing ? nothing : null, [from]: span?.from ?? null, [to]: span?.to ?? null })
    onFilled()
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} class="input" value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="-1">{t('Any day')}</option>
        {spans.map((span, at) => (
          <option key={span.label} value={at}>
            {span.label}
          </option>
        ))}
        {!required && !readonly && <option value={nothing}>{t('Without a date')}</option>}
      </select>
    </div>
  )
}

interface FilterInputProps {
  field: DescribedField
  /** A text if it comes from the address, otherwise the input's value. */
  value: unknown
  onValue: (value: unknown) => void
  fault: string | undefined
}

/** An input for a value that a filter compares with. */
export function FilterInput({ field, value, onValue, fault }: FilterInputProps) {
  const id = field.target && typeof value === 'string' && value !== nothing ? value : ''
  const label = useNames(id === '' ? undefined : field.target, id)
  const [turn, setTurn] = useState(0) // a typed text stays until the input is replaced
  const take = (given: unknown) => {
    if (isChoice(given)) cacheName(field.target!, given.id, given.label)
    onValue(given)
  }
  const choose = (choice: Choice) => {
    take(choice)
    setTurn(turn + 1)
  }
  const none = field.target && value === nothing ? { id: nothing, label: t('None') } : plainValue(field, value)
  const shown = id === '' ? none : { id, label: label ?? '…' }
  if (!field.target) return <FieldInput field={field} value={shown} onValue={take} fault={fault} />
  return (
    <div class="stack tight">
      <FieldInput key={turn} field={field} value={shown} onValue={take} fault={fault} />
      <div class="row">
        {quickChoices(field).map((choice) => (
          <button key={choice.id} type="button" class="button small" onClick={() => choose(choice)}>
            {choice.label}
            <span class="unseen"> ({field.label})</span>
          </button>
        ))}
      </div>
    </div>
  )
}

/** The choices of a reference that need no search. */
function quickChoices({ target, chosen }: DescribedField): Choice[] {
  if (target !== 'user') return chosen ? [] : [{ id: nothing, label: t('None') }]
  const { id, full_name } = session.value!.user
  return [
    { id, label: full_name },
    { id: nothing, label: t('Nobody') },
  ]
}

/** The address stores a number as text. */
function plainValue({ kind }: DescribedField, value: unknown): unknown {
  const isNumber = kind === 'number' && typeof value === 'string' && Number.isFinite(Number(value))
  return isNumber ? Number(value) : (value ?? null)
}

/** The parameter of a filter, and its input, which has no default. Every filter is optional, so no label says so. */
function inputOf(field: DescribedField): [name: string, field: DescribedField] {
  const { default: _, declared, ...plain } = { ...field, required: true }
  const { name, kind } = field
  if (kind === 'flag') return [name, { ...plain, kind: 'choice', options: ['true', 'false'] }]
  if (likeKinds.includes(kind)) return [`${name}[like]`, plain]
  if (kind === 'choices') return [`${name}[in]`, { ...plain, ...(declared && { declared }) }]
  return [name, { ...plain, ...(declared && { declared }) }]
}
