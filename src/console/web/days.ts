export const dayMs = 86_400_000

/** The first moment of the day of `date`, or of one `days` later, in the user's time zone. */
export function startOfDay(date: Date, days = 0): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days)
}

/** The last millisecond of that day in the user's time zone. */
export function endOfDay(date: Date): Date {
  return new Date(startOfDay(date, 1).getTime() - 1)
}

/** Parses `2026-06-15` and an optional `14:30` in the user's time zone; undefined: there is no such date or time. Without a time: the first moment of the day. */
export function parseLocal(day: string, time = ''): Date | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
  const [, hour, minute] = /^(\d\d):(\d\d)/.exec(time || '00:00') ?? []
  const parsed = new Date(Number(year), Number(month) - 1, Number(date), Number(hour), Number(minute))
  return parsed.getMonth() === Number(month) - 1 && parsed.getDate() === Number(date) ? parsed : undefined
}

/** What `parseLocal` reads: the value of `<input type="date">`. */
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
