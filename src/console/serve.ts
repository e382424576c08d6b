import { viewerOf } from '../access/role.ts'
import type { BodySize } from '../engine/api/call/route.ts'
import { ApiError, forbidden } from '../errors.ts'
import type { BackupDesk } from '../features/backups/backup-desk.ts'
import type { Admission } from '../http/admission.ts'
import type { ReadBody } from '../http/body.ts'
import type { Ctx, Layer } from '../http/exchange.ts'
import type { FairTurns } from '../http/fair-turns.ts'
import { type ReadThreads, readWith } from '../http/read.ts'
import { send } from '../http/response.ts'
import { dispatch, notFound, pathNamer } from '../http/router.ts'
import { type ConsoleRequest, isFromConsole, type Sessions } from '../http/session.ts'
import type { Mailroom } from '../mail/mailroom.ts'
import type { Origin } from '../store/change-log.ts'
import type { Store } from '../store/store.ts'
import { activityKeyRoutes } from './activity-keys.ts'
import { backupRoutes } from './backups.ts'
import { calendarRoutes } from './calendar.ts'
import { companyRoutes } from './company.ts'
import { descriptionRoutes } from './description.ts'
import { firstStepRoutes } from './first-steps.ts'
import { latestChangeRoutes } from './latest-changes.ts'
import { mailRoutes } from './mail.ts'
import { noticeRoutes } from './notices.ts'
import { invitationRoutes } from './password.ts'
import { readRoutes } from './read.ts'
import { readWithin } from './read-within.ts'
import { type ConsoleRoute, isAdmin } from './route.ts'
import { sessionRoutes } from './sessions.ts'
import { setupRoutes } from './setup.ts'
import { signInRoutes } from './sign-in.ts'
import { stageAgeRoutes } from './stage-ages.ts'
import { undoneImportRoutes } from './undone-imports.ts'
import { userRoutes } from './users.ts'
import { webhookRequestRoutes } from './webhook-request.ts'

interface ConsoleOptions {
  store: Store
  sessions: Sessions
  admission: Admission
  readers: Readonly<Record<BodySize, ReadBody>>
  turns: FairTurns
  /** Runs a request of the API within another one. */
  api: Layer
  /** Answer long questions; undefined: the event loop does. */
  readThreads: ReadThreads | undefined
  /** Null: the operator has not set a directory. Undefined: the server cannot make backups. */
  backups: BackupDesk | null | undefined
  /** What the server has for mail; undefined: it takes none. */
  mail: Mailroom | undefined
}

/** `/console/…`: the endpoints that only the console's pages may use. */
export function serveConsole(options: ConsoleOptions): Layer {
  const { store, sessions, admission, readers, turns, api, readThreads, backups, mail } = options
  const routes = consoleRoutes(store, { backups, mail })
  const nameRoute = pathNamer(routes)
  const toRoute = dispatch(routes, (route) => [
    async (ctx) => {
      ctx.state.content = await serve(route, ctx.params, ctx)
    },
  ])
  const read = readWithin({
    admission,
    lookup: ({ req }) => sessions.lookupCredential(req),
    run: (ctx, next) => (ctx.state.path.startsWith('/console/') ? toRoute : api)(ctx, next),
  })
  return async (ctx, next) => {
    if (!ctx.state.path.startsWith('/console/')) return next()
    ctx.state.route = nameRoute(ctx.state.path)
    const known = sessions.lookup(ctx.req)
    if (known) {
      ctx.state.session = known.session
      admission.admitKey(ctx, { keyId: known.session.hash, limits: known.session.limits })
    } else admission.admitAddress(ctx)
    await toRoute(ctx, notFound)
    const content = ctx.state.content!
    if (!content.secret) ctx.state.headers.push('Cache-Control', 'no-store')
    return send(ctx, content)
  }

  async function bodyOf(route: ConsoleRoute, ctx: Ctx) {
    if (route.takesBody) return (await readers[route.bodySize ?? 'small'](ctx)).object
    await turns.wait(ctx)
    return {}
  }

  async function serve(route: ConsoleRoute, params: Record<string, string>, ctx: Ctx) {
    if (!isFromConsole(ctx.req)) throw forbidden('Only the console’s own pages may use this endpoint')
    const identify = () => requireUser(route, sessions.lookup(ctx.req))
    if (route.for !== 'anyone') identify()
    const body = await bodyOf(route, ctx)
    const { address, query, requestId } = ctx.state
    const cookie = (token?: string) => sessions.cookie(ctx.req, token)
    const userAgent = ctx.req.headers['user-agent'] ?? null
    const call = { store, address, userAgent, cookie, params, query, body }
    if (route.for === 'anyone') return route.run(call)
    const known = identify() // again: the body may have taken minutes to arrive
    const origin: Origin = { actor: { type: 'user', id: known.session.userId }, requestId }
    return route.run({
      ...call,
      ...known,
      get: (target) => read(ctx, target),
      readIn: (workspaceId) => {
        const { companyId, userId, role } = known.session
        const viewer = viewerOf(userId, role)
        const by = { companyId, workspaceId, viewer, cause: requestId }
        return readWith(store.workspace(workspaceId, { view: viewer }), by, readThreads)
      },
      write: (run) => store.writeAccess((tx) => run(tx, identify().session), origin),
    })
  }
}

/** Throws UNAUTHORIZED, INSUFFICIENT_PERMISSIONS. */
function requireUser(route: ConsoleRoute, known: ConsoleRequest | undefined): ConsoleRequest {
  if (!known) throw new ApiError('UNAUTHORIZED', 'Sign in first')
  if (route.for === 'admin' && !isAdmin(known.session)) throw forbidden('Only owners and admins may do this')
  return known
}

/** Every endpoint that only the console uses. */
export function consoleRoutes(
  store: Store,
  { backups, mail }: Partial<Pick<ConsoleOptions, 'backups' | 'mail'>> = {},
): ConsoleRoute[] {
  return [
    ...setupRoutes,
    ...signInRoutes(store),
    ...sessionRoutes,
    ...invitationRoutes,
    ...userRoutes,
    ...noticeRoutes,
    ...companyRoutes,
    ...descriptionRoutes(mail?.domain !== undefined),
    ...activityKeyRoutes,
    ...undoneImportRoutes,
    ...latestChangeRoutes,
    ...stageAgeRoutes,
    ...firstStepRoutes,
    ...webhookRequestRoutes,
    ...calendarRoutes,
    ...backupRoutes(backups),
    ...mailRoutes(mail),
    ...readRoutes,
  ]
}
