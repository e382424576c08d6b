import { useRef, useState } from 'preact/hooks'
import { dueAt, endOfDay, localDay, localTime, parseLocal } from '../text/days.ts'
import { isEndOfDay } from '../text/format.ts'
import { Invalid } from '../text/invalid.ts'
import { t } from '../text/texts.ts'
import type { Wiring } from './form.tsx'

interface DayInputProps {
  wiring: Wiring
  value: unknown
  onValue: (value: string | null | Invalid) => void
}

const latestDay = '9999-12-31'
const incomplete = t('The date is not complete: enter day, month and a year of four digits, or clear the field')

/** A day: `2026-06-15`. The input is uncontrolled: nothing is written back while the user types. */
export function DayInput({ wiring, value, onValue }: DayInputProps) {
  const [initial] = useState(typeof value === 'string' ? value : '')
  const input = useRef<HTMLInputElement>(null)
  const read = () => onValue(dayIn(input.current!))
  return <input {...wiring} {...useInputEvents(read)} ref={input} type="date" max={latestDay} defaultValue={initial} />
}

interface MomentInputProps extends DayInputProps {
  label: string
  /** Whether it is when a task is due. */
  isDue?: boolean
}

/** A moment as a date and an optional time in the user's time zone. A date alone means the end of that day. */
export function MomentInput({ wiring, value, onValue, label, isDue = false }: MomentInputProps) {
  const [initial] = useState(() => shownOf(value, isDue))
  const [day, time] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)]
  const read = () => {
    // Seconds are not shown: an unchanged value keeps them.
    const isInitial = day.current!.value === initial.day && time.current!.value === initial.time
    const moment = momentIn(day.current!, time.current!)
    onValue(isInitial && !(moment instanceof Invalid) ? initial.value : moment)
  }
  const [dayEvents, timeEvents] = [useInputEvents(read), useInputEvents(read)]
  return (
    <div class="moment">
      <input {...wiring} {...dayEvents} ref={day} type="date" max={latestDay} defaultValue={initial.day} />
      <input
        {...timeEvents}
        class="input"
        ref={time}
        type="time"
        aria-label={t('{label}: time (optional)', { label })}
        defaultValue={initial.time}
      />
    </div>
  )
}

function shownOf(value: unknown, isDue: boolean): { value: string | null; day: string; time: string } {
  if (typeof value !== 'string') return { value: null, day: '', time: '' }
  const date = new Date(isDue ? dueAt(value) : value)
  return { value, day: localDay(date), time: isEndOfDay(date) ? '' : localTime(date) }
}

/**
 * An incomplete date does not change the value, so browsers fire no `input` event for it. The key that moved the focus here changes nothing.
 */
function useInputEvents(read: () => void) {
  const wasIncomplete = useRef(false)
  return {
    onInput: read,
    onKeyUp({ currentTarget: { validity } }: { currentTarget: HTMLInputElement }) {
      if (validity.badInput || wasIncomplete.current) read()
      wasIncomplete.current = validity.badInput
    },
  }
}

/** Browsers do not expose the text of an incomplete date. */
function dayIn({ value, validity }: HTMLInputElement): string | null | Invalid {
  if (value === '' && !validity.badInput) return null
  return parseLocal(value) ? value : new Invalid('', incomplete)
}

function momentIn(dayInput: HTMLInputElement, timeInput: HTMLInputElement): string | null | Invalid {
  const day = dayIn(dayInput)
  if (day instanceof Invalid) return day
  if (timeInput.validity.badInput)
    return new Invalid('', t('The time is not complete: enter hour and minute, or clear it'))
  if (day === null)
    return timeInput.value === '' ? null : new Invalid('', t('Enter the date that this time belongs to'))
  const moment = parseLocal(day, timeInput.value)
  if (!moment) return new Invalid('', t('This time does not exist on that day: the clocks change'))
  return (timeInput.value === '' ? endOfDay(moment) : moment).toISOString()
}
