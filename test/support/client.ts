import assert from 'node:assert/strict'
import { assertDescribed } from './described.ts'
import type { AddUser } from './users.ts'

/** An answer, its JSON parsed. `body` is untyped on purpose: tests assert what is in it. */
export interface ApiResponse {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
}

export interface Client {
  keyId: string
  /** The key's text. */
  key: string
  /** Of the key's company. */
  addUser: AddUser
  get(path: string, headers?: Record<string, string>): Promise<ApiResponse>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  delete(path: string, headers?: Record<string, string>): Promise<ApiResponse>
  request(method: string, path: string, init?: RequestInit): Promise<ApiResponse>
}

/** Only the tests of compression ask for it. */
const plain = { 'Accept-Encoding': 'identity' }

const noUsers: AddUser = () => Promise.reject(new Error('this client was not given its company'))

export function clientFor(url: string, { id, key }: { id: string; key: string }, addUser: AddUser = noUsers): Client {
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
    request,
    get: withoutBody('GET'),
    delete: withoutBody('DELETE'),
    post: withBody('POST'),
    patch: withBody('PATCH'),
  }
}

/** Sends a request; the answer must be one that the OpenAPI document describes. */
export async function send(url: string, init: RequestInit = {}): Promise<ApiResponse> {
  const response = await fetch(url, init)
  const text = await response.text()
  const body = text === '' ? undefined : JSON.parse(text)
  assertDescribed({ method: init.method ?? 'GET', url, status: response.status, headers: response.headers, body })
  return { status: response.status, headers: response.headers, body }
}

/** Fails unless the answer is this error; `fields` are those of its details, in order. */
export function assertError(
  answer: ApiResponse,
  status: number,
  code: string,
  message?: string,
  fields?: string[],
): void {
  assert.deepEqual([answer.status, answer.body.error.code], [status, code], JSON.stringify(answer.body))
  if (message !== undefined) assert.equal(answer.body.error.message, message)
  if (fields) {
    const details: { field: string }[] = answer.body.error.details
    assert.deepEqual(
      details.map(({ field }) => field),
      fields,
    )
  }
}
