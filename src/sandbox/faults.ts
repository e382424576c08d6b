import { setTimeout as delay } from 'node:timers/promises'
import { ApiError, type ErrorCode, errorStatus } from '../errors.ts'
import type { Ctx, Exchange, Layer } from '../http/exchange.ts'

/** What happens to a request instead of, before or after its normal response. */
type Action =
  | { status: number; retry_after?: number | undefined }
  | { delay_ms: number }
  /** The connection ends before the request has an effect. */
  | { reset: true }
  /** The request takes effect, and then the connection ends without a response. */
  | { reset_after_commit: true }

/** A rule for requests (decision I8). */
export interface Fault {
  match: { method?: string | undefined; path?: string | undefined }
  do: Action
  /** How often it still applies; null: always. */
  times: number | null
  /** The share of the requests, from 0 to 1. */
  probability: number
}

export const faultsMax = 100
export const delayMsMax = 60_000
export const retryAfterMax = 86_400
const faultHeader = 'Kontor-Fault'

type OnFault = (exchange: Exchange, fault: string) => void

/** The faults of a world. The first one that matches a request applies. */
export class Faults {
  #faults: Fault[]
  readonly #chance: () => number
  readonly #onFault: OnFault

  constructor(faults: readonly Fault[], chance: () => number, onFault: OnFault) {
    this.#faults = faults.map((fault) => ({ ...fault }))
    this.#chance = chance
    this.#onFault = onFault
  }

  get state(): Fault[] {
    return this.#faults.map((fault) => ({ ...fault }))
  }

  replace(faults: readonly Fault[]): void {
    this.#faults = faults.map((fault) => ({ ...fault }))
  }

  /** Applies to requests of the API and of agents. The header of a request takes precedence over the faults. */
  layer(isAffected: (path: string) => boolean): Layer {
    return (ctx, next) => {
      if (!isAffected(ctx.state.path)) return next()
      const header = ctx.get(faultHeader)
      const action = header === '' ? this.#take(ctx.method, ctx.state.path) : readHeader(header)
      if (!action) return next()
      this.#onFault(ctx.state, nameOf(action))
      return apply(action, ctx, next)
    }
  }

  #take(method: string, path: string): Action | undefined {
    const fault = this.#faults.find((each) => each.times !== 0 && matches(each.match, method, path))
    if (!fault || (fault.probability < 1 && this.#chance() >= fault.probability)) return undefined
    if (fault.times !== null) fault.times--
    return fault.do
  }
}

/** `*` in a path stands for any text. */
export function matches({ method, path }: Fault['match'], givenMethod: string, givenPath: string): boolean {
  if (method !== undefined && method.toUpperCase() !== givenMethod) return false
  if (path === undefined) return true
  const [first = '', ...rest] = path.split('*')
  const last = rest.pop()
  if (last === undefined) return givenPath === first
  if (!givenPath.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = givenPath.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return givenPath.length - at >= last.length && givenPath.endsWith(last)
}

async function apply(action: Action, ctx: Ctx, next: () => Promise<void>): Promise<void> {
  if ('status' in action) throw failure(action)
  if ('delay_ms' in action) return delay(action.delay_ms).then(next)
  const drop = () => {
    ctx.req.socket.destroy()
  }
  if ('reset' in action) return drop()
  ctx.res.writeHead = () => {
    drop()
    return ctx.res
  }
  return next()
}

function nameOf(action: Action): string {
  if ('status' in action) return `status=${action.status}`
  if ('delay_ms' in action) return `delay=${action.delay_ms}`
  return 'reset' in action ? 'reset' : 'reset-after-commit'
}

function failure({ status, retry_after }: { status: number; retry_after?: number | undefined }): ApiError {
  const headers: Record<string, string> = retry_after === undefined ? {} : { 'Retry-After': String(retry_after) }
  return new ApiError(codeOf(status), `This failure was requested: status ${status}`, { status, headers })
}

const codes = { 400: 'INVALID_REQUEST', 409: 'CONFLICT', 429: 'RATE_LIMIT_EXCEEDED', 403: 'INSUFFICIENT_PERMISSIONS' }

/** The code that a real error of this status has. */
function codeOf(status: number): ErrorCode {
  const named = (codes as Record<number, ErrorCode>)[status]
  const [first] = Object.entries(errorStatus).find(([, each]) => each === status) ?? []
  return named ?? (first as ErrorCode | undefined) ?? (status < 500 ? 'INVALID_REQUEST' : 'INTERNAL_ERROR')
}

/** Throws INVALID_REQUEST. */
function readHeader(text: string): Action {
  const [, status, retryAfter, ms, how] =
    /^(?:status=([45]\d\d)(?:; *retry_after=(\d{1,5}))?|delay=(\d{1,5})|(reset|reset-after-commit))$/.exec(text) ?? []
  if (status) return { status: Number(status), retry_after: retryAfter ? Number(retryAfter) : undefined }
  if (ms && Number(ms) <= delayMsMax) return { delay_ms: Number(ms) }
  if (how === 'reset') return { reset: true }
  if (how) return { reset_after_commit: true }
  const allowed = `status=400 to status=599, with "; retry_after=SECONDS" if wanted, delay=0 to delay=${delayMsMax} in milliseconds, reset, reset-after-commit`
  throw new ApiError('INVALID_REQUEST', `The header ${faultHeader} is invalid; allowed: ${allowed}`)
}
