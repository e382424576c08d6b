import { CalendarClock } from 'lucide'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { localDay, parseLocal } from '../days.ts'
import { dayTitle, shortDayTitle } from '../format.ts'
import { type OfferedDay, offeredDays } from '../task-days.ts'
import type { Row } from '../views.ts'
import { Icon } from './icon.tsx'

interface RescheduleProps {
  task: Row
  /** `undefined`: without a date. */
  onMove: (to: OfferedDay | undefined) => void
}

/** A button that opens the days which a task can be moved to. */
export function Reschedule({ task, onMove }: RescheduleProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const choose = (to: OfferedDay | undefined) => {
    list.current!.hidePopover()
    onMove(to)
  }
  useLayoutEffect(() => {
    if (open) place(list.current!, button.current!)
  }, [open])
  return (
    <div class="menu">
      <button
        ref={button}
        type="button"
        class="button quiet square small"
        aria-label={`Reschedule ${task.title}`}
        title="Reschedule"
        popovertarget={id}
      >
        <Icon of={CalendarClock} />
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={`Reschedule ${task.title}`}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {open && <Days task={task} onChoose={choose} />}
      </div>
    </div>
  )
}

function Days({ task, onChoose }: { task: Row; onChoose: RescheduleProps['onMove'] }) {
  const input = useRef<HTMLInputElement>(null)
  const set = (event: Event) => {
    event.preventDefault()
    const day = parseLocal(input.current!.value)
    if (day) onChoose({ label: dayTitle(day), day })
    else input.current!.focus()
  }
  return (
    <>
      {offeredDays().map((offered) => (
        <button key={offered.label} type="button" onClick={() => onChoose(offered)}>
          <span class="grow">{offered.label}</span> <span class="muted small">{shortDayTitle(offered.day)}</span>
        </button>
      ))}
      {task.due_date && (
        <button type="button" onClick={() => onChoose(undefined)}>
          Without a date
        </button>
      )}
      <form class="row other-day" onSubmit={set}>
        <input
          ref={input}
          class="input"
          type="date"
          max="9999-12-31"
          required
          aria-label="Another day"
          defaultValue={task.due_date ? localDay(new Date(task.due_date)) : ''}
        />
        <button type="submit" class="button small">
          Set
        </button>
      </form>
    </>
  )
}

const gapPx = 4

/** Puts the list below its button, or above it if there is no space, and moves the focus into it. */
function place(list: HTMLElement, button: HTMLElement): void {
  const { top, bottom, right } = button.getBoundingClientRect()
  const { width, height } = list.getBoundingClientRect()
  const isBelow = bottom + gapPx + height <= innerHeight
  Object.assign(list.style, {
    inset: 'auto',
    left: `${Math.max(gapPx, right - width)}px`,
    top: `${isBelow ? bottom + gapPx : Math.max(gapPx, top - gapPx - height)}px`,
  })
  list.querySelector('button')!.focus()
}
