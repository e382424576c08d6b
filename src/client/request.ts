import type { Address, RequestOptions } from './types.ts'

/** The fetch from before a test replaced it. */
const { fetch } = globalThis

/** The API's error. */
export class SandboxError extends Error {
  override name = 'SandboxError'
  /** The HTTP status. */
  readonly status: number
  /** `NOT_FOUND`, `CONFLICT`, …; INVALID_RESPONSE if the response is not the API's. */
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Sends a request with the key. Throws TypeError unless the path begins with a slash, so that the key goes to the sandbox alone. */
export function send({ url, key }: Address, path: string, { json, ...init }: RequestOptions = {}): Promise<Response> {
  if (!path.startsWith('/')) throw new TypeError(`The path must begin with a slash: ${path}`)
  const headers = new Headers(init.headers)
  if (!headers.has('Authorization')) headers.set('Authorization', `Bearer ${key}`)
  if (json === undefined) return fetch(url + path, { ...init, headers })
  if (!headers.has('Content-Type')) headers.set('Content-Type', 'application/json')
  return fetch(url + path, { method: 'POST', ...init, headers, body: JSON.stringify(json) })
}

// biome-ignore lint/suspicious/noExplicitAny: responses have every shape
export type Control = (method: string, path: string, json?: unknown) => Promise<any>

/** Calls control endpoints and returns their responses. Throws SandboxError, or Error if there is no response within fetch's five minutes. */
export function controlOf(address: Address): Control {
  return async (method, path, json) => {
    const [status, text] = await send(address, `/api-v1-sandbox${path}`, { method, json })
      .then(async (response) => [response.status, await response.text()] as const)
      .catch((cause) => {
        throw new Error(`The sandbox at ${address.url} does not respond`, { cause })
      })
    return read(status, text)
  }
}

function read(status: number, text: string) {
  const body = parse(text)
  if (status < 400 && body !== undefined) return body
  const { code, message } = body?.error ?? { code: 'INVALID_RESPONSE', message: `This is not a sandbox: ${status}` }
  throw new SandboxError(status, code, message)
}

/** Undefined for what is not JSON. */
function parse(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
