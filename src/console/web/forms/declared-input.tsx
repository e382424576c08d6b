import { useState } from 'preact/hooks'
import type { DescribedField } from '../../description.ts'
import { onceShown } from '../data/busy.ts'
import { fits } from '../data/declared.ts'
import { textOf } from '../data/metadata.ts'
import { exactNumber } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { DayInput, MomentInput } from './day-input.tsx'
import { DecimalInput } from './decimal-input.tsx'
import type { Wiring } from './form.tsx'
import { UserInput } from './user-input.tsx'

interface DeclaredInputProps {
  field: DescribedField
  value: unknown
  onValue: (value: unknown) => void
  wiring: Wiring
}

/** The input for a declared field's type. A value that it cannot show is kept until the user replaces it. */
export function DeclaredInput(props: DeclaredInputProps) {
  const { field, value, onValue, wiring } = props
  if (!fits(field, value) && ![...textKinds, 'user'].includes(field.kind)) return <Misfit {...props} />
  if (field.kind === 'number') return <DecimalInput {...{ value, onValue, wiring }} shownAs={exactNumber} />
  if (field.kind === 'flag') return <YesNo {...props} />
  if (field.kind === 'date') return <DayInput {...{ value, onValue, wiring }} />
  if (field.kind === 'timestamp') return <MomentInput {...{ value, onValue, wiring }} label={field.label} />
  if (field.kind === 'choice') return <Options {...props} />
  if (field.kind === 'user') return <UserInput {...{ field, wiring, value, onValue }} />
  return (
    <input
      {...wiring}
      type={(inputTypes[field.kind] ?? 'text') as 'text'}
      value={value === null || value === undefined ? '' : textOf(value)}
      autoComplete="off"
      onInput={({ currentTarget }) => onValue(currentTarget.value || null)}
    />
  )
}

const textKinds = ['text', 'url', 'email', 'phone', 'choice']
const inputTypes: Readonly<Record<string, string>> = { url: 'url', email: 'email', phone: 'tel' }

/** A value of another type. */
function Misfit({ field, value, onValue, wiring }: DeclaredInputProps) {
  const replace = () => {
    onValue(null)
    onceShown(() => document.getElementById(wiring.id)?.focus()) // the button is gone
  }
  return (
    <div class="row">
      <input {...wiring} type="text" readOnly value={textOf(value)} />
      <button
        type="button"
        class="button small"
        aria-label={t('Replace {label}', { label: field.label })}
        onClick={replace}
      >
        {t('Replace')}
      </button>
    </div>
  )
}

function YesNo({ value, onValue, wiring }: DeclaredInputProps) {
  const given = value === true ? 'true' : value === false ? 'false' : ''
  const take = (text: string) => onValue(text === '' ? null : text === 'true')
  return (
    <select {...wiring} value={given} onChange={({ currentTarget }) => take(currentTarget.value)}>
      <option value="">–</option>
      <option value="true">{t('Yes')}</option>
      <option value="false">{t('No')}</option>
    </select>
  )
}

/** The options as they were declared, by their index, and the stored value if it is none of them. */
function Options({ field, value, onValue, wiring }: DeclaredInputProps) {
  const [initial] = useState(value ?? null)
  const options: unknown[] = [...field.options!]
  for (const other of [initial, value ?? null]) if (other !== null && !options.includes(other)) options.push(other)
  const at = options.indexOf(value)
  return (
    <select
      {...wiring}
      value={at === -1 ? '' : String(at)}
      onChange={({ currentTarget }) =>
        onValue(currentTarget.value === '' ? null : options[Number(currentTarget.value)])
      }
    >
      <option value="">–</option>
      {options.map((option, index) => (
        <option key={index} value={String(index)}>
          {textOf(option)}
        </option>
      ))}
    </select>
  )
}
