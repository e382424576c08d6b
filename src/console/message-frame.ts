import { environments } from '../access/company.ts'
import type { Contents } from '../content/contents.ts'
import { ApiError } from '../errors.ts'
import { framedMessage } from '../features/mail/framed-message.ts'
import type { Admission } from '../http/admission.ts'
import type { Ctx, Layer } from '../http/exchange.ts'
import { send } from '../http/response.ts'
import { dispatch } from '../http/router.ts'
import type { Sessions } from '../http/session.ts'
import { requireHere } from '../store/company-move.ts'
import type { Store } from '../store/store.ts'

/** The path of a frame. */
export const framePath = '/console/message-frame/:environment/:id'

interface FramesOptions {
  store: Store
  sessions: Sessions
  admission: Admission
  /** Where content is; undefined: this server stores none. */
  contents: Contents | undefined
}

/**
 * `/console/message-frame/:environment/:id`: the HTML of a message for a frame of the console, which navigates there, so that the policies of the
 * console do not apply to it, but stricter ones: nothing runs, and it has no access to Kontor (decision *A mail in a frame*). `?remote=1` lets
 * in remote pictures; nothing remembers that.
 */
export function serveFrames({ store, sessions, admission, contents }: FramesOptions): Layer {
  const serve = async (ctx: Ctx) => {
    const environment = environments.find((each) => each === ctx.params.environment)
    const credential = environment && sessions.lookupFrame(ctx.req, environment)
    if (!credential) {
      admission.admitAddress(ctx)
      throw new ApiError('UNAUTHORIZED', 'Sign in first')
    }
    const { companyId, workspaceId, viewer, userId } = credential
    ctx.state.session = { userId: userId!, companyId }
    admission.admitKey(ctx, credential)
    requireHere(store.access, companyId)
    const showsRemote = new URLSearchParams(ctx.state.query).get('remote') === '1'
    const shelf = { reader: store.workspace(workspaceId, { view: viewer }), contents, workspaceId }
    const body = await framedMessage(shelf, ctx.params.id!, showsRemote)
    return send(ctx, { status: 200, type: 'text/html; charset=utf-8', body, headers: headersFor(showsRemote) })
  }
  return dispatch(
    ['GET', 'HEAD'].map((method) => ({ method, path: framePath })),
    () => [serve],
    (ctx) => admission.admitAddress(ctx),
  )
}

function headersFor(showsRemote: boolean): string[] {
  const policy = [
    'sandbox allow-popups allow-popups-to-escape-sandbox', // links open in windows of their own
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data:${showsRemote ? ' http: https:' : ''}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ')
  return Object.entries({
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'SAMEORIGIN',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  }).flat()
}
