import { dueMs, isOpen, isOverdue } from '../data/late.ts'
import type { Row } from '../data/resource-views.ts'
import { now } from '../session/now.ts'
import { dueAt, endOfDay, startOfDay } from '../text/days.ts'
import { dayTitle, isEndOfDay, monthTitle } from '../text/format.ts'
import { parseSpoken } from '../text/spoken-days.ts'
import { t } from '../text/texts.ts'

export function isDone({ status }: Row): boolean {
  return status === 'completed'
}

/** How many days from today have a group of their own. Later tasks are grouped by month. */
const ownDays = 7

/** The title of the group that a task belongs to: `Overdue`, `Today`, `Tomorrow`, a day, a month. */
export function groupOf(task: Row): string {
  if (!task.due_date) return t('Without a date')
  if (isOverdue(task)) return t('Overdue')
  const due = new Date(dueMs(task))
  const isBefore = (days: number) => due < startOfDay(now(), days)
  if (isBefore(0)) return t('Earlier')
  if (isBefore(1)) return t('Today')
  if (isBefore(2)) return t('Tomorrow')
  return isBefore(ownDays) ? dayTitle(due) : monthTitle(due)
}

export interface OfferedDay {
  label: string
  day: Date
  /** With its time; default: that of the task. */
  moment?: Date
}

/** The days that a task is often moved to. */
export function offeredDays(): OfferedDay[] {
  const today = startOfDay(now())
  const toMonday = (8 - today.getDay()) % 7 || 7
  const offered = [
    { label: t('Today'), day: today },
    { label: t('Tomorrow'), day: startOfDay(today, 1) },
    { label: t('Next Monday'), day: startOfDay(today, toMonday) },
    { label: t('In 3 days'), day: startOfDay(today, 3) },
    { label: t('In a week'), day: startOfDay(today, 7) },
    { label: t('In a month'), day: startOfDay(parseSpoken('in 1 month', today)!) },
  ].filter(({ day }, at, all) => all.findIndex((each) => each.day.getTime() === day.getTime()) === at)
  return offered.sort((a, b) => a.day.getTime() - b.day.getTime())
}

/** The day that an overdue task or one of today is most often moved to. */
export function nextDay(task: Row): OfferedDay | undefined {
  const [today, tomorrow] = offeredDays()
  if (isOverdue(task)) return today
  return isOpen(task) && groupOf(task) === t('Today') ? tomorrow : undefined
}

/** A due date on another day at the same time. A task without a time, or whose time has passed on that day, is due at its end. */
export function movedTo(day: Date, due: string | null): string {
  const before = due === null ? endOfDay(day) : new Date(dueAt(due))
  if (isEndOfDay(before)) return endOfDay(day).toISOString()
  const moved = new Date(before)
  moved.setFullYear(day.getFullYear(), day.getMonth(), day.getDate())
  return (moved < now() ? endOfDay(day) : moved).toISOString()
}
