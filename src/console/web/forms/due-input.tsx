import { useState } from 'preact/hooks'
import { now } from '../session/now.ts'
import { Invalid } from '../text/invalid.ts'
import { parseSpoken } from '../text/spoken-days.ts'
import { t } from '../text/texts.ts'
import { MomentInput } from './day-input.tsx'
import type { Wiring } from './form.tsx'

interface DueInputProps {
  wiring: Wiring
  label: string
  value: unknown
  onValue: (value: string | null | Invalid) => void
}

/** When something is due: a date with an optional time, words that mean one, or one of four presets. */
export function DueInput({ wiring, label, value, onValue }: DueInputProps) {
  const [text, setText] = useState('')
  const [turn, setTurn] = useState(0) // inputs of days keep what they show
  const take = (given: string) => {
    setText(given)
    setTurn(turn + 1)
    const unknown = t('Write a day such as “tomorrow”, “fri 10:00” or “in 2 weeks”')
    onValue(given.trim() === '' ? null : (parseSpoken(given, now())?.toISOString() ?? new Invalid(given, unknown)))
  }
  const pick = (moment: string | null | Invalid) => {
    setText('')
    onValue(moment)
  }
  return (
    <div class="stack tight">
      <MomentInput key={turn} {...{ wiring, label, value }} isDue onValue={pick} />
      <div class="row">
        <input
          class="input due-words"
          type="text"
          autoComplete="off"
          aria-label={t('{label}: in words', { label })}
          placeholder={t('fri 10:00, in 2 weeks …')}
          value={text}
          onInput={({ currentTarget }) => take(currentTarget.value)}
        />
        {[t('tomorrow'), t('in 3 days'), t('next week'), t('next month')].map((preset) => (
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
