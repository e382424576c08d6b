import { ICalCalendar, ICalCalendarMethod, ICalEventBusyStatus, ICalEventTransparency } from 'ical-generator'
import { dayMs, timestamp } from '../../lib/clock.ts'
import { beginningOf } from '../../lib/text.ts'
import type { Reader } from '../../store/reader.ts'

/** Which of a user's tasks a calendar shows (decision K8). */
const readMax = 10_000
const shownMax = 1_000
const pastDays = 90
const comingDays = 366
const descriptionMax = 2_000

const minuteMs = 60_000
const lengthMinutes = 30

interface DueTask {
  id: string
  title: string
  description: string | null
  due_date: string
  updated_at: string
}

export interface CalendarOptions {
  userId: string
  timeZone: string
  nowMs: number
  /** The address of the console, if it is known; without a slash at the end. */
  consoleUrl: string | undefined
}

/** The open tasks of a user that are due, as iCalendar text (RFC 5545). */
export function taskCalendar(reader: Reader, { userId, timeZone, nowMs, consoleUrl }: CalendarOptions): string {
  const calendar = new ICalCalendar({
    name: 'Kontor tasks',
    prodId: { company: 'Kontor', product: 'Tasks', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: 3_600,
  })
  const localTime = clockOf(timeZone)
  for (const task of listDue(reader, userId, nowMs)) {
    const due = new Date(task.due_date)
    const day = wholeDay(due, localTime(due))
    calendar.createEvent({
      id: `${task.id}@kontor`,
      stamp: new Date(task.updated_at),
      summary: plain(task.title),
      transparency: ICalEventTransparency.TRANSPARENT,
      busystatus: ICalEventBusyStatus.FREE,
      ...(day ? { start: day, allDay: true } : { start: due, end: new Date(due.getTime() + lengthMinutes * minuteMs) }),
      ...(task.description && { description: plain(beginningOf(task.description, descriptionMax)) }),
      ...(consoleUrl !== undefined && { url: `${consoleUrl}/tasks/${task.id}` }),
    })
  }
  return `${calendar}\r\n`
}

/** Only the newest tasks are looked at, so that the work is bounded. */
function listDue(reader: Reader, userId: string, nowMs: number): DueTask[] {
  const sql = `SELECT id, title, description, due_date, updated_at FROM (
      SELECT id, title, description, due_date, updated_at, status FROM task INDEXED BY task_assigned_to
        WHERE workspace_id = :workspace AND assigned_to = ? AND deleted_at IS NULL ORDER BY id DESC LIMIT ${readMax})
    WHERE status IN ('pending', 'in_progress') AND due_date BETWEEN ? AND ? ORDER BY due_date, id LIMIT ${shownMax}`
  return reader.rows<DueTask>(sql, userId, timestamp(nowMs - pastDays * dayMs), timestamp(nowMs + comingDays * dayMs))
}

/** Text without the control characters that iCalendar does not allow. */
function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '')
}

/** Returns a function that shows a moment in a time zone: `2026-11-27T23:59:59`. */
function clockOf(timeZone: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (at) => format.format(at).replace(' ', 'T')
}

/** A due date without a time is the end of its day, or midnight UTC (decision B10). Returns the day, as midnight UTC. */
function wholeDay(due: Date, local: string): Date | undefined {
  if (due.getTime() % dayMs === 0) return due
  return local.endsWith('T23:59:59') ? new Date(`${local.slice(0, 10)}T00:00:00Z`) : undefined
}
