import { openCalendarFeed } from '../access/calendar-feed.ts'
import { ApiError } from '../errors.ts'
import { calendarReading } from '../features/calendar/reading.ts'
import type { Admission } from '../http/admission.ts'
import type { Ctx, Layer } from '../http/exchange.ts'
import { type ReadThreads, readWith } from '../http/read.ts'
import { send } from '../http/response.ts'
import { dispatch } from '../http/router.ts'
import type { PublicUrl } from '../lib/public-url.ts'
import { requireHere } from '../store/company-move.ts'
import type { Store } from '../store/store.ts'
import { team } from '../store/visibility.ts'

/** Programs for calendars ask every few minutes to hours. */
const limits = {
  ...{ requests_per_minute: 10, requests_per_day: 500 },
  ...{ max_organizations: null, max_contacts: null, max_deals: null, max_storage_bytes: null },
}

interface CalendarsOptions {
  store: Store
  admission: Admission
  /** Answer long questions; undefined: the event loop does. */
  readThreads: ReadThreads | undefined
  publicUrl: PublicUrl | undefined
}

export function calendarPath(token: string): string {
  return `/calendar/${token}/tasks.ics`
}

/** `/calendar/:token/tasks.ics`: the tasks of a user, for programs that know the secret address (decision K8). */
export function serveCalendars({ store, admission, readThreads, publicUrl }: CalendarsOptions): Layer {
  const serve = async (ctx: Ctx) => {
    const feed = openCalendarFeed(store.access, ctx.params.token)
    if (!feed) {
      admission.admitAddress(ctx)
      throw new ApiError('NOT_FOUND', 'There is no calendar at this address')
    }
    const { hash, userId, companyId, workspaceId, timeZone } = feed
    ctx.state.session = { userId, companyId }
    admission.admitKey(ctx, { keyId: hash, limits })
    requireHere(store.access, companyId)
    const question = { userId, timeZone, nowMs: store.clock.now(), consoleUrl: publicUrl?.href }
    const read = readWith(
      store.workspace(workspaceId, { view: team }),
      { companyId, workspaceId, viewer: team },
      readThreads,
    )
    const body = await read(calendarReading, question)
    return send(ctx, { status: 200, mediaType: 'text/calendar; method=PUBLISH; charset=utf-8', body, secret: true })
  }
  const path = calendarPath(':token')
  return dispatch(
    ['GET', 'HEAD'].map((method) => ({ method, path })),
    () => [serve],
    (ctx) => admission.admitAddress(ctx),
  )
}
