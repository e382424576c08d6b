import assert from 'node:assert/strict'
import type { AddUser } from './company.ts'
import { assertDescribed } from './described.ts'
import { exchange } from './exchange.ts'
import type { AddMessage } from './message.ts'

/** A response with its JSON parsed. `body` is untyped, because tests assert its members. */
export interface ApiResponse {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests assert responses of every shape
  body: any
}

export interface Client {
  keyId: string
  /** The complete key, as it is sent. */
  key: string
  /** Adds a user to the key's company. */
  addUser: AddUser
  /** Stores a message in the key's workspace, as a delivery does. Returns its id. */
  addMessage?: AddMessage
  get(path: string, headers?: Record<string, string>): Promise<ApiResponse>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  delete(path: string, headers?: Record<string, string>): Promise<ApiResponse>
  request(method: string, path: string, init?: RequestInit): Promise<ApiResponse>
}

/** Tests of compression send their own header. */
const plain = { 'Accept-Encoding': 'identity' }

const noUsers: AddUser = () => Promise.reject(new Error('this client does not know its company'))

export function clientFor(
  url: string,
  { id, key }: { id: string; key: string },
  addUser: AddUser = noUsers,
  addMessage?: AddMessage,
): Client {
  const request = (method: string, path: string, init: RequestInit = {}) =>
    send(`${url}${path}`, { ...init, method, headers: { Authorization: `Bearer ${key}`, ...plain, ...init.headers } })
  const withBody = (method: string) => (path: string, body: unknown, headers?: Record<string, string>) =>
    request(method, path, {
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const withoutBody = (method: string) => (path: string, headers?: Record<string, string>) =>
    request(method, path, { ...(headers && { headers }) })
  return {
    keyId: id,
    key,
    addUser,
    ...(addMessage && { addMessage }),
    request,
    get: withoutBody('GET'),
    delete: withoutBody('DELETE'),
    post: withBody('POST'),
    patch: withBody('PATCH'),
    put: withBody('PUT'),
  }
}

/** Sends a request. Fails unless the OpenAPI document describes the response. */
export async function send(url: string, init: RequestInit = {}): Promise<ApiResponse> {
  const { status, headers, text } = await exchange(url, init)
  const isFile = /ndjson|^text\//.test(headers.get('content-type') ?? '')
  const body = isFile ? text : text === '' ? undefined : JSON.parse(text)
  assertDescribed({ method: init.method ?? 'GET', url, status, headers, body })
  return { status, headers, body }
}

/** Fails unless the response is this error. `fields` are the fields of its details, in order. */
export function assertError(
  response: ApiResponse,
  status: number,
  code: string,
  message?: string,
  fields?: string[],
): void {
  assert.deepEqual([response.status, response.body.error.code], [status, code], JSON.stringify(response.body))
  if (message !== undefined) assert.equal(response.body.error.message, message)
  if (fields) {
    const details: { field: string }[] = response.body.error.details
    assert.deepEqual(
      details.map(({ field }) => field),
      fields,
    )
  }
}
