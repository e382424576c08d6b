import { CalendarClock } from 'lucide'
import { useRef } from 'preact/hooks'
import { dueMs } from '../data/late.ts'
import type { Row } from '../data/resource-views.ts'
import { Menu } from '../parts/menu.tsx'
import { now } from '../session/now.ts'
import { localDay, parseLocal, startOfDay } from '../text/days.ts'
import { dayTitle, isEndOfDay, shortDayTitle } from '../text/format.ts'
import { parseSpoken } from '../text/spoken-days.ts'
import { t } from '../text/texts.ts'
import { type OfferedDay, offeredDays } from './task-days.ts'

interface RescheduleProps {
  task: Row
  /** `undefined`: without a date. */
  onMove: (to: OfferedDay | undefined) => void
}

/** A button that opens the days which a task can be moved to. */
export function Reschedule({ task, onMove }: RescheduleProps) {
  return (
    <Menu
      label={t('Reschedule {title}', { title: task.title })}
      title={t('Reschedule')}
      icon={CalendarClock}
      looks="quiet small"
    >
      {(close) => (
        <Days
          task={task}
          onChoose={(to) => {
            close()
            onMove(to)
          }}
        />
      )}
    </Menu>
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
  const words = useRef<HTMLInputElement>(null)
  const say = (event: Event) => {
    event.preventDefault()
    const moment = parseSpoken(words.current!.value, now())
    words.current!.setCustomValidity(moment ? '' : t('Write a day such as “tomorrow”, “fri 10:00” or “in 2 weeks”'))
    if (!moment) return words.current!.reportValidity()
    const day = startOfDay(moment)
    onChoose({ label: dayTitle(day), day, ...(!isEndOfDay(moment) && { moment }) })
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
          {t('Without a date')}
        </button>
      )}
      <form class="row other-day" onSubmit={say}>
        <input
          ref={words}
          class="input due-words"
          type="text"
          required
          onInput={({ currentTarget }) => currentTarget.setCustomValidity('')}
          autoComplete="off"
          aria-label={t('Day in words')}
          placeholder={t('fri, in 2 weeks …')}
        />
        <button type="submit" class="button small">
          {t('Set')}
        </button>
      </form>
      <form class="row other-day" onSubmit={set}>
        <input
          ref={input}
          class="input"
          type="date"
          max="9999-12-31"
          required
          aria-label={t('Another day')}
          defaultValue={task.due_date ? localDay(new Date(dueMs(task))) : ''}
        />
        <button type="submit" class="button small">
          {t('Set')}
        </button>
      </form>
    </>
  )
}
