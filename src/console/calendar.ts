import { insertCalendarFeed, lookupCalendarFeed, removeCalendarFeed } from '../access/calendar-feed.ts'
import { requireTimeZone } from '../access/time-zone.ts'
import { deleted } from '../engine/api/call/http-response.ts'
import { ApiError } from '../errors.ts'
import { calendarPath } from './calendar-feed.ts'
import { type ConsoleRoute, data, type MemberCall, readTexts } from './route.ts'

const path = '/console/calendar'

/** The address of the calendar of a user's tasks: created, shown once, and revoked by the user (decision K8). */
export const calendarRoutes: ConsoleRoute[] = [
  {
    method: 'GET',
    path,
    for: 'member',
    run: ({ store, session }) => data(lookupCalendarFeed(store.access, session.userId) ?? null),
  },
  { method: 'POST', path, takesBody: true, for: 'member', run: create },
  { method: 'DELETE', path, for: 'member', run: revoke },
]

async function create({ write, body }: MemberCall) {
  const zone = requireTimeZone(readTexts(body, ['time_zone']).time_zone)
  const token = await write((tx, { userId }) => insertCalendarFeed(tx, userId, zone))
  return { ...data({ path: calendarPath(token), time_zone: zone }, 201), secret: true as const }
}

async function revoke({ write }: MemberCall) {
  const existed = await write((tx, { userId }) => removeCalendarFeed(tx, userId))
  if (!existed) throw new ApiError('NOT_FOUND', 'You have no calendar address')
  return deleted
}
