import type { IncomingMessage } from 'node:http'
import type { Credential, Credentials } from '../access/credentials.ts'
import type { Usage } from '../access/usage.ts'
import { ApiError } from '../errors.ts'
import type { Admission } from './admission.ts'
import type { Ctx, Layer } from './exchange.ts'
import type { Sessions } from './session.ts'

/** Whether a path belongs to the API, whose requests need a key or a session. */
export function isApiPath(path: string): boolean {
  return path.startsWith('/api-v1-')
}

/** What lets requests in. */
export interface Gate {
  credentials: Credentials
  admission: Admission
  usage: Usage
  urlBytesMax: number
}

/** Authenticates the caller, then applies the rate limits (decision A5). One layer, because it runs for every request. */
export function admit({ sessions, ...gate }: Gate & { sessions: Sessions }): Layer {
  const { admission, urlBytesMax } = gate
  const admitKnown = admitWith(gate, ({ req }) => lookupSession(req, sessions))
  return (ctx, next) => {
    if (isApiPath(ctx.state.path)) admitKnown(ctx)
    else {
      admission.admitAddress(ctx)
      const fault = transportFault(ctx.req, urlBytesMax)
      if (fault) throw fault
    }
    return next()
  }
}

/** Returns a function that authenticates a request by its key, and applies the rate limits. Throws ApiError. */
export function admitKey(gate: Gate): (ctx: Ctx) => void {
  return admitWith(gate, () => undefined)
}

function admitWith({ credentials, admission, usage, urlBytesMax }: Gate, lookup: (ctx: Ctx) => Credential | undefined) {
  return (ctx: Ctx): void => {
    const fault = transportFault(ctx.req, urlBytesMax)
    const credential = lookup(ctx) ?? authenticate(ctx, { credentials, admission, fault })
    ctx.state.credential = credential
    if (!credential.user) {
      ctx.state.count = (status) => usage.count(credential.keyId, status, ctx.state.address)
    }
    admission.admitKey(ctx, credential)
    if (fault) throw fault
  }
}

/** Requests of the console have a session instead of a key. */
function lookupSession(req: IncomingMessage, sessions: Sessions): Credential | undefined {
  return req.headers.authorization === undefined ? sessions.lookupCredential(req) : undefined
}

interface Authentication extends Pick<Gate, 'credentials' | 'admission'> {
  fault: ApiError | undefined
}

/** Finds the key's credential. Without a valid key, a violation of HTTP takes precedence over the invalid key. */
function authenticate(ctx: Ctx, { credentials, admission, fault }: Authentication): Credential {
  try {
    return credentials.find(ctx.req.headers.authorization)
  } catch (error) {
    admission.admitAddress(ctx)
    throw fault ?? error
  }
}

/** Returns the error of a request that violates HTTP or asks for something that this server does not support. */
function transportFault({ url, headers, httpVersion }: IncomingMessage, urlBytesMax: number): ApiError | undefined {
  if (headers.host === undefined && httpVersion === '1.1') {
    return new ApiError('INVALID_REQUEST', 'The request has no Host header')
  }
  if (url!.length > urlBytesMax) {
    return new ApiError('INVALID_REQUEST', `The URL is longer than ${urlBytesMax} bytes`, { status: 414 })
  }
  if (headers.expect === undefined || headers.expect.toLowerCase() === '100-continue') return undefined
  return new ApiError('INVALID_REQUEST', 'The only supported expectation is 100-continue', { status: 417 })
}
