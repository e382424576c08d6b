import type { DescribedField } from '../../description.ts'
import { localDay, localTime } from '../days.ts'
import { word } from '../format.ts'
import { list } from '../http.ts'
import { search } from '../search.ts'
import { resourceOf } from '../session.ts'
import { nameFields, nameOf, type Row } from '../views.ts'
import { type Choice, Combobox } from './combobox.tsx'
import { Field, type Wiring } from './form.tsx'

interface FieldInputProps {
  field: DescribedField
  value: unknown
  onValue: (value: unknown) => void
  fault?: string | undefined
  wide?: boolean
  hint?: string | undefined
  /** The record that a reference leads to now. */
  related?: Row | null | undefined
  autoFocus?: boolean
}

type InputType = 'date' | 'datetime-local' | 'number' | 'email' | 'color' | 'text'

const suggestionsMax = 8
const optionsMax = 100
const longText = ['description']

/** The input that a field's kind asks for. What it takes, the server says: this only brings text and JSON together. */
export function FieldInput(props: FieldInputProps) {
  const { field, value, onValue, fault, wide, hint } = props
  if (field.kind === 'flag') {
    return (
      <div class={wide ? 'field wide' : 'field'}>
        <label class="check">
          <input type="checkbox" checked={value === true} onChange={(event) => onValue(event.currentTarget.checked)} />
          {field.label}
        </label>
        {fault && <span class="fault">{fault}</span>}
      </div>
    )
  }
  return (
    <Field
      label={field.label}
      fault={fault}
      hint={hint}
      {...(wide && { wide })}
      optional={!field.required && !chosenFor(field)}
    >
      {(wiring) => <Control {...props} wiring={wiring} />}
    </Field>
  )
}

/** Left alone, it has a value all the same. */
function chosenFor(field: DescribedField): boolean {
  return field.default !== undefined || field.target === 'stage'
}

function Control({ field, value, onValue, related, autoFocus, wiring }: FieldInputProps & { wiring: Wiring }) {
  if (field.kind === 'choice') return <Select {...{ field, value, onValue, wiring }} />
  if (field.kind === 'reference') return <Reference {...{ field, value, onValue, related, wiring }} />
  const text = value === null || value === undefined ? '' : String(value)
  const change = (event: { currentTarget: { value: string } }) => onValue(parse(field, event.currentTarget.value))
  if (longText.includes(field.name)) return <textarea {...wiring} value={text} onInput={change} />
  const shown =
    field.kind === 'timestamp' && text !== '' ? `${localDay(new Date(text))}T${localTime(new Date(text))}` : text
  return (
    <input
      {...wiring}
      type={inputType(field) as 'text'}
      value={shown}
      step={field.kind === 'number' ? 'any' : undefined}
      autoComplete="off"
      // biome-ignore lint/a11y/noAutofocus: the first field of a form that was just opened
      autoFocus={autoFocus ?? false}
      onInput={change}
    />
  )
}

function inputType({ kind, name }: DescribedField): InputType {
  if (kind === 'date') return 'date'
  if (kind === 'timestamp') return 'datetime-local'
  if (kind === 'number' || kind === 'position') return 'number'
  if (kind === 'email') return 'email'
  return name === 'color' ? 'color' : 'text'
}

/** Empty is null; a number or a moment that does not parse goes to the server as it is, which says what it wants. */
function parse({ kind }: DescribedField, text: string): unknown {
  if (text === '') return null
  if (kind === 'number' || kind === 'position') return Number.isNaN(Number(text)) ? text : Number(text)
  if (kind !== 'timestamp') return text
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? text : moment.toISOString()
}

type ControlProps = Pick<FieldInputProps, 'field' | 'value' | 'onValue' | 'related'> & { wiring: Wiring }

function Select({ field, value, onValue, wiring }: ControlProps) {
  return (
    <select {...wiring} value={String(value ?? '')} onChange={(event) => onValue(event.currentTarget.value || null)}>
      {!chosenFor(field) && <option value="">–</option>}
      {field.options!.map((option) => (
        <option key={option} value={option}>
          {word(option)}
        </option>
      ))}
    </select>
  )
}

function Reference({ field, value, onValue, related, wiring }: ControlProps) {
  const known = related && related.id === value ? { id: related.id, label: nameOf(related) } : undefined
  const chosen = typeof value === 'object' && value !== null ? (value as Choice) : known
  return (
    <Combobox
      wiring={wiring}
      chosen={chosen}
      onChoose={(choice) => onValue(choice ?? null)}
      search={(text, signal) => searchRecords(field.target!, text, signal)}
    />
  )
}

/** The first records whose name has this text in it. */
async function searchRecords(target: string, text: string, signal: AbortSignal): Promise<Choice[]> {
  const [fields, small] = [nameFields[target]!, target === 'stage']
  const query = {
    limit: small ? optionsMax : suggestionsMax,
    ...(target === 'user' && { is_active: 'true' }),
    ...(!small && { sort: fields[0] }),
  }
  const { data } =
    text.trim() === ''
      ? await list<Row>(`/${resourceOf(target).path}`, query, signal)
      : await search(target, { text: text.trim(), fields }, query, signal)
  return data.map((row) => ({ id: row.id, label: nameOf(row) }))
}
