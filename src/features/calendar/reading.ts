import type { Reading } from '../../engine/finding/reading.ts'
import type { CalendarOptions } from './calendar.ts'

/** Reads the tasks of a user as a calendar. What writes calendars is loaded when it is needed, not at start. */
export const calendarReading: Reading<CalendarOptions, string> = {
  name: 'calendar',
  async run(reader, options) {
    const { taskCalendar } = await import('./calendar.ts')
    return taskCalendar(reader, options)
  },
}
