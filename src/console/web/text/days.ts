export const dayMs = 86_400_000

/** The first moment of the day of `date`, or of one `days` later, in the user's time zone. */
export function startOfDay(date: Date, days = 0): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days)
}

/** The last millisecond of that day in the user's time zone. */
export function endOfDay(date: Date): Date {
  return new Date(startOfDay(date, 1).getTime() - 1)
}

/** The last moment at which a task is not overdue. Due at exactly midnight UTC, it is due on that calendar day, in every time zone (decision B10). */
export function dueAt(due: string): string {
  const at = new Date(due)
  const day = at.getTime() % dayMs === 0 && parseLocal(at.toISOString().slice(0, 10))
  return day ? endOfDay(day).toISOString() : due
}

/** The due date that stands for the day of `date`, or for one `days` later, in every time zone. */
export function wholeDay(date: Date, days = 0): string {
  return `${localDay(startOfDay(date, days))}T00:00:00.000Z`
}

/** The value of a timestamp field as a moment of the user's time zone. */
export function momentOf(name: string, value: string): string {
  return name === 'due_date' ? dueAt(value) : value
}

/**
 * Parses `2026-06-15` and an optional `14:30` in the user's time zone. Without a time: the first moment of the day. Undefined: there is no
 * such date or time there (a clock change can skip one), or the year has not four digits.
 */
export function parseLocal(day: string, time = ''): Date | undefined {
  const [, year, month, date] = /^([1-9]\d{3})-(\d\d)-(\d\d)$/.exec(day) ?? []
  const [, hour, minute] = /^(\d\d):(\d\d)/.exec(time) ?? []
  const parsed = new Date(Number(year), Number(month) - 1, Number(date), Number(hour ?? 0), Number(minute ?? 0))
  const isDay = parsed.getMonth() === Number(month) - 1 && parsed.getDate() === Number(date)
  const isTime = hour === undefined || (parsed.getHours() === Number(hour) && parsed.getMinutes() === Number(minute))
  return isDay && isTime ? parsed : undefined
}

/** The value of `<input type="date">`, as `parseLocal` reads it. */
export function localDay(date: Date): string {
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}

/** The value of `<input type="time">`. */
export function localTime(date: Date): string {
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`
}

function pad(value: number, digits = 2): string {
  return String(value).padStart(digits, '0')
}
