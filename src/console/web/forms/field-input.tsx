import type { ComponentChildren, InputHTMLAttributes } from 'preact'
import { useState } from 'preact/hooks'
import type { DescribedField } from '../../description.ts'
import type { Choice } from '../data/choice.ts'
import { fits } from '../data/declared.ts'
import { isPercent } from '../parts/value.tsx'
import { exactAmount, exactPercent, word } from '../text/format.ts'
import { Invalid } from '../text/invalid.ts'
import { t } from '../text/texts.ts'
import { ChipsInput } from './chips-input.tsx'
import { DayInput, MomentInput } from './day-input.tsx'
import { DecimalInput } from './decimal-input.tsx'
import { DeclaredInput } from './declared-input.tsx'
import { DueInput } from './due-input.tsx'
import { Field, type Wiring } from './form.tsx'
import { isOrdered } from './record-groups.ts'
import { ReferenceInput } from './reference-input.tsx'
import { ReferenceSelect } from './reference-select.tsx'

interface FieldInputProps {
  field: DescribedField
  /** A `Choice` for a reference. */
  value: unknown
  onValue: (value: unknown) => void
  /** Called with the record that the server sets if none is chosen. */
  onFilled?: (value: Choice) => void
  fault?: ComponentChildren
  wide?: boolean
  hint?: string | undefined
  /** Whether a number or a text cannot be changed; `hint` says why. */
  isReadOnly?: boolean
  /** The currency of an amount of money. */
  currency?: unknown
  /** The records that a reference more likely leads to: those with this value of a field. */
  near?: [name: string, id: string] | undefined
  /** Whether it is a field of a record, rather than a filter: a reference may create a record, and an ordered one is a select. */
  inRecord?: boolean
  autoFocus?: boolean
}

const numberKinds = ['number', 'position']

/** The input for a field's kind. The server validates the value. Text that cannot be converted to a value is `Invalid`. */
export function FieldInput(props: FieldInputProps) {
  const { field, value, onValue, wide, hint, isReadOnly } = props
  const [isLeft, setLeft] = useState(false)
  const fault = props.fault ?? (value instanceof Invalid && (isLeft || value.isUrgent) ? value.message : undefined)
  if (field.kind === 'flag' && !field.declared) {
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
  if (field.kind === 'choices' && field.declared && (typeof value === 'string' || fits(field, value))) {
    // A filter of the address is a text.
    const chosen = typeof value === 'string' ? value.split(',') : ((value ?? []) as string[])
    const options = field.options!.map((option) => ({ value: option, label: option }))
    const take = (given: string[]) => onValue(given.length > 0 ? given : null)
    return <ChipsInput {...{ options, hint, fault }} label={field.label} value={chosen} onValue={take} />
  }
  return (
    <Field
      label={field.label}
      fault={fault}
      hint={hint ?? (field.kind === 'timestamp' ? t('Without a time: the end of that day') : undefined)}
      {...(wide && { wide })}
      optional={!isReadOnly && !field.required && !isFilled(field)}
      isReadOnly={isReadOnly}
      onLeave={() => setLeft(true)}
    >
      {(wiring) => <Control {...props} wiring={wiring} />}
    </Field>
  )
}

function isDue({ name }: DescribedField): boolean {
  return name === 'due_date'
}

/** Whether the field gets a value even if it is left empty. */
function isFilled(field: DescribedField): boolean {
  return field.default !== undefined || field.chosen === true
}

function Control(props: FieldInputProps & { wiring: Wiring }) {
  const { field, value, onValue, onFilled, currency, near, inRecord = false, autoFocus = false, wiring } = props
  if (field.declared) return <DeclaredInput {...{ field, value, onValue, wiring }} />
  if (field.kind === 'choice') return <Select {...{ field, value, onValue, wiring }} />
  if (field.kind === 'choices') return <MultiSelect {...{ field, value, onValue, wiring }} />
  if (field.kind === 'reference' && inRecord && isOrdered(field.target!))
    return <ReferenceSelect {...{ field, value, onValue, onFilled, wiring }} />
  if (field.kind === 'reference' && field.target)
    return <ReferenceInput {...{ field, value, onValue, near, wiring }} creates={inRecord} />
  if (field.kind === 'date') return <DayInput {...{ value, onValue, wiring }} />
  if (isDue(field)) return <DueInput {...{ value, onValue, wiring }} label={field.label} />
  if (field.kind === 'timestamp') return <MomentInput {...{ value, onValue, wiring }} label={field.label} />
  if (numberKinds.includes(field.kind)) {
    const isShare = isPercent(field)
    const shownAs = (amount: number) => (isShare ? exactPercent(amount) : exactAmount(amount, currency))
    return <DecimalInput {...{ value, onValue, wiring, shownAs }} isPercent={isShare} />
  }
  if (field.kind === 'texts') return <Lines {...{ field, value, onValue, wiring }} />
  const text = value === null || value === undefined ? '' : String(value)
  const change = (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value || null)
  if (field.long) return <textarea {...wiring} value={text} onInput={change} />
  return (
    <input
      {...wiring}
      {...typing(field)}
      value={text}
      // biome-ignore lint/a11y/noAutofocus: the first field of a form that was just opened
      autoFocus={autoFocus}
      onInput={change}
    />
  )
}

/** How a text is typed: which keyboard a phone shows. A browser fills in its user's own data, so it fills in nothing. */
function typing({ kind, name }: DescribedField): InputHTMLAttributes {
  const off = { autoComplete: 'off' } as const
  if (kind === 'email') return { ...off, type: 'email' }
  if (kind === 'phone') return { ...off, type: 'tel' }
  if (name === 'color') return { type: 'color' }
  if (name === 'domain') return { ...off, type: 'text', inputMode: 'url', autoCapitalize: 'none', spellcheck: false }
  if (name === 'currency')
    return { ...off, type: 'text', autoCapitalize: 'characters', maxLength: 3, spellcheck: false }
  return { ...off, type: 'text' }
}

interface SelectProps {
  field: DescribedField
  value: unknown
  onValue: (value: unknown) => void
  wiring: Wiring
}

function Select({ field, value, onValue, wiring }: SelectProps) {
  return (
    <select {...wiring} value={String(value ?? '')} onChange={(event) => onValue(event.currentTarget.value || null)}>
      {!isFilled(field) && <option value="">–</option>}
      {field.options!.map((option) => (
        <option key={option} value={option}>
          {word(option)}
        </option>
      ))}
    </select>
  )
}

function MultiSelect({ field, value, onValue, wiring }: SelectProps) {
  const chosen = (value ?? []) as string[]
  const read = (select: HTMLSelectElement) => [...select.selectedOptions].map((option) => option.value)
  return (
    <select {...wiring} multiple onChange={(event) => onValue(read(event.currentTarget))}>
      {field.options!.map((option) => (
        <option key={option} value={option} selected={chosen.includes(option)}>
          {word(option)}
        </option>
      ))}
    </select>
  )
}

/** One text per line. */
function Lines({ value, onValue, wiring }: SelectProps) {
  const [text, setText] = useState(((value ?? []) as string[]).join('\n'))
  const change = (changed: string) => {
    setText(changed)
    onValue(changed.split('\n').filter((line) => line.trim() !== ''))
  }
  return <textarea {...wiring} value={text} onInput={(event) => change(event.currentTarget.value)} />
}
