import { useState } from 'preact/hooks'
import { now } from '../session/now.ts'
import { moment } from '../text/format.ts'
import { Invalid } from '../text/invalid.ts'
import { parseSpoken } from '../text/spoken-days.ts'
import { t } from '../text/texts.ts'
import { Field } from './form.tsx'

interface DueInputProps {
  label: string
  value: unknown
  onValue: (value: string | null | Invalid) => void
  fault: string | undefined
}

/** When something is due: in words, or one of four presets. It shows which moment was understood. */
export function DueInput({ label, value, onValue, fault }: DueInputProps) {
  const [text, setText] = useState('')
  const take = (given: string) => {
    setText(given)
    const due = parseSpoken(given, now())
    const unknown = t('Write a day such as “tomorrow”, “fri 10:00” or “in 2 weeks”')
    onValue(given.trim() === '' ? null : (due?.toISOString() ?? new Invalid(given, unknown)))
  }
  const presets = [t('tomorrow'), t('in 3 days'), t('next week'), t('next month')]
  const wrong = value instanceof Invalid && text.length > 2 ? value.message : undefined
  return (
    <div class="stack tight">
      <Field label={label} fault={fault ?? wrong} optional {...(typeof value === 'string' && { hint: moment(value) })}>
        {(wiring) => (
          <input
            {...wiring}
            type="text"
            autoComplete="off"
            placeholder={t('fri 10:00, in 2 weeks …')}
            value={text}
            onInput={({ currentTarget }) => take(currentTarget.value)}
          />
        )}
      </Field>
      <div class="row">
        {presets.map((preset) => (
          <button
            key={preset}
            type="button"
            class="button small"
            aria-pressed={text === preset}
            onClick={() => take(preset)}
          >
            {preset}
          </button>
        ))}
      </div>
    </div>
  )
}
