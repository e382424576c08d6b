import { useRef } from 'preact/hooks'
import { endOfDay, localDay, localTime, parseLocal } from '../days.ts'
import { isEndOfDay } from '../format.ts'
import { Invalid } from '../invalid.ts'
import type { Wiring } from './form.tsx'

interface DayInputProps {
  wiring: Wiring
  value: unknown
  onValue: (value: string | null | Invalid) => void
}

const latestDay = '9999-12-31'
const incomplete = 'The date is not complete: enter day, month and year, or clear the field'

/** A day: `2026-06-15`. */
export function DayInput({ wiring, value, onValue }: DayInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const read = () => {
    const day = dayIn(input.current!)
    if (day instanceof Invalid || day !== value) onValue(day)
  }
  return (
    <input
      {...wiring}
      {...heard(read)}
      ref={input}
      type="date"
      max={latestDay}
      value={typeof value === 'string' ? value : ''}
    />
  )
}

/** A moment by a date and, if it is wanted, a time on the user's clock; a date alone is the end of that day. */
export function MomentInput({ wiring, value, onValue, label }: DayInputProps & { label: string }) {
  const [day, time] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)]
  const shown = typeof value === 'string' ? new Date(value) : undefined
  const shownDay = shown ? localDay(shown) : ''
  const shownTime = shown && !isEndOfDay(shown) ? localTime(shown) : ''
  const inputs = heard(() => {
    const moment = momentIn(day.current!, time.current!)
    // Seconds are not shown: what was not touched keeps them.
    const isTouched = day.current!.value !== shownDay || time.current!.value !== shownTime
    if (moment instanceof Invalid || value instanceof Invalid || isTouched) onValue(moment)
  })
  return (
    <div class="moment">
      <input {...wiring} {...inputs} ref={day} type="date" max={latestDay} value={shownDay} />
      <input
        {...inputs}
        class="input"
        ref={time}
        type="time"
        aria-label={`${label}: time (optional)`}
        value={shownTime}
      />
    </div>
  )
}

/** A date that is begun changes no value, so that browsers fire no `input` event for it. */
function heard(read: () => void): { onInput(): void; onKeyUp(): void } {
  return { onInput: read, onKeyUp: read }
}

/** Browsers give no text of what is only begun. */
function dayIn(input: HTMLInputElement): string | null | Invalid {
  if (input.validity.badInput) return new Invalid('', incomplete)
  return input.value || null
}

function momentIn(dayInput: HTMLInputElement, timeInput: HTMLInputElement): string | null | Invalid {
  const day = dayIn(dayInput)
  if (day instanceof Invalid) return day
  if (timeInput.validity.badInput)
    return new Invalid('', 'The time is not complete: enter hour and minute, or clear it')
  if (day === null) return timeInput.value === '' ? null : new Invalid('', 'Enter the date that this time belongs to')
  const moment = parseLocal(day, timeInput.value)
  if (!moment) return new Invalid('', 'There is no such date')
  return (timeInput.value === '' ? endOfDay(moment) : moment).toISOString()
}
