import type { Environment } from '../../../access/company.ts'
import { ApiError } from '../../../errors.ts'
import { signInAgain } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { busyWith } from './busy.ts'
import { errorOf } from './error-of.ts'
import { fetchServer } from './fetch-server.ts'
import { fetchTogether } from './fetch-together.ts'
import { newOnce, noteAnswered, noteLost, type Once, onceFor, placeOf } from './once.ts'
import { pageHeaders } from './page-headers.ts'
import { sendContent } from './send-content.ts'

interface RequestOptions {
  body?: unknown
  /** The content of a file, instead of a body of JSON. */
  content?: Blob
  /** Gets how many bytes of the content have been sent. */
  onProgress?: (sent: number) => void
  signal?: AbortSignal | undefined
  /** The record as it was read: the server responds with 412 if it has changed since. */
  ifMatch?: object | undefined
  /** The media type of a file; default: JSON. */
  accept?: string
  /** The id of the request; default: a new one. */
  requestId?: string
  /** The key of a POST of a form, until the form closes or has been saved; default: one for each press of a button. */
  once?: Once | undefined
  /** The workspace; default: that in which the id or the key was made, otherwise that of the page. */
  environment?: Environment | undefined
}

/** The ETags of the records that were read, by the objects of the records. */
const tags = new WeakMap<object, string>()

/** The ids of the requests that changed something, by the objects that they returned. */
const writes = new WeakMap<object, string>()

/** The ids of older records that may be the same, by the objects of new ones. */
const duplicates = new WeakMap<object, string>()

/** Returns `data` of a response of the API or of `/console/…`. Throws ApiError with the server's details; offline: SERVICE_UNAVAILABLE. */
export async function request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  return (await requestWhole<{ data: T }>(method, path, options)).data
}

/** Like `request`, but returns the complete body. */
export async function requestWhole<T extends { data: unknown }>(
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<T> {
  const response = await send(method, path, options)
  const body = (await response.json()) as T
  const { data } = body
  if (typeof data !== 'object' || data === null) return body
  const { headers } = response
  const [tag, id] = [headers.get('ETag'), headers.get('X-Request-Id')]
  const duplicate = headers.get('Kontor-Duplicate-Of')
  if (tag) tags.set(data, tag)
  if (id && method !== 'GET') writes.set(data, id)
  if (duplicate) duplicates.set(data, duplicate)
  return body
}

/** The id of an older record that has the email or domain of this new one. */
export function duplicateOf(created: object): string | undefined {
  return duplicates.get(created)
}

/** The id of the request that returned this object; undefined unless it was a write. */
export function writeOf(returned: unknown): string | undefined {
  return writes.get(returned as object)
}

export const get = <T>(path: string, signal?: AbortSignal) => request<T>('GET', path, { signal })
export const post = <T>(path: string, body: unknown = {}, once?: Once) => request<T>('POST', path, { body, once })
export const patch = <T>(path: string, body: unknown, ifMatch?: object, shared?: SharedRequest) =>
  request<T>('PATCH', path, { body, ifMatch, ...shared })
export const upload = <T>(path: string, options: UploadOptions) => request<T>('POST', path, options)
export const remove = <T>(path: string, shared?: SharedRequest) => request<T>('DELETE', path, { ...shared })

type UploadOptions = Required<Pick<RequestOptions, 'content' | 'signal' | 'onProgress' | 'requestId' | 'once'>>

/** An id that several requests share: one undo takes their changes back, and all are in one workspace. */
export type SharedRequest = Required<Pick<RequestOptions, 'requestId'>>

/** Runs requests that share an id. The object that `run` returns counts as returned by one request. */
export async function withRequestId<T extends object>(
  run: (shared: SharedRequest) => Promise<T>,
  requestId = newOnce(),
): Promise<T> {
  const returned = await run({ requestId })
  writes.set(returned, requestId)
  return returned
}

export interface Page<T> {
  data: T[]
  pagination: {
    total: number
    limit: number
    has_more: boolean
    page: number
    total_pages: number
    next_cursor: string | null
  }
}

export type Query = Record<string, string | number | undefined>

/** A page of a list, with its pagination. */
export async function list<T>(path: string, query: Query, signal?: AbortSignal): Promise<Page<T>> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  const response = await send('GET', text ? `${path}?${text}` : path, { signal })
  return (await response.json()) as Page<T>
}

/** The values of a response that has one on each line. */
export async function lines<T>(path: string, signal?: AbortSignal): Promise<T[]> {
  const text = await (await send('GET', path, { signal, accept: 'application/x-ndjson' })).text()
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]))
}

/** A list as a file of this media type. */
export async function download(path: string, accept: string, environment?: Environment): Promise<Blob> {
  return (await send('GET', path, { accept, environment })).blob()
}

interface BackgroundRequest {
  environment: Environment
  signal: AbortSignal
  /** Read before the requests that are started at the same time. */
  isFirst?: boolean
}

/** A request that the user has not caused: it never asks to sign in. The response may be an error. */
export function fetchInBackground(
  path: string,
  { environment, signal, isFirst = false }: BackgroundRequest,
): Promise<Response> {
  return busyWith('GET', path, fetchTogether({ path, headers: pageHeaders(environment), signal, isFirst }))
}

/** Like `get`, but returns undefined if no user is signed in. */
export async function probe<T>(path: string): Promise<T | undefined> {
  const response = await fetchJson('GET', path, {})
  if (response.ok) return (await response.json()).data
  if (response.status === 401) return undefined
  throw await errorOf(response)
}

/** If the session has ended, waits until the user has signed in again and then repeats the request, so that no input is lost. */
async function send(method: string, path: string, options: RequestOptions): Promise<Response> {
  const { environment = placeOf(options.requestId ?? options.once) } = options
  for (;;) {
    const response = await fetchJson(method, path, { ...options, environment })
    if (response.ok) return response
    const error = await errorOf(response)
    if (response.status !== 401 || (path === '/console/session' && method !== 'GET')) throw error
    await signInAgain()
  }
}

function sentText(environment: Environment, path: string, json: string | null): string {
  return `${environment} ${path} ${json}`
}

/** The key of a POST that is repeated, also by a later call: the same one if its last response was lost. */
export function onceOf(path: string, body: unknown): Once {
  return onceFor(sentText(placeOf(), path, JSON.stringify(body)))
}

async function fetchJson(
  method: string,
  path: string,
  { body, content, onProgress, signal, ifMatch, accept, requestId, once, environment = placeOf() }: RequestOptions,
): Promise<Response> {
  const tag = ifMatch && tagOf(ifMatch)
  const json = body === undefined ? null : JSON.stringify(body)
  const sent = sentText(environment, path, json)
  const key = method === 'POST' && path.startsWith('/api-v1-') ? (once ?? onceFor(sent)) : undefined
  const headers = {
    ...pageHeaders(environment),
    ...(method !== 'GET' && { 'X-Request-Id': requestId ?? key ?? newOnce() }),
    ...(key && { 'Idempotency-Key': key }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(content && { 'Content-Type': content.type || 'application/octet-stream' }),
    ...(tag && { 'If-Match': tag }),
    ...(accept !== undefined && { Accept: accept }),
  }
  try {
    const response =
      method === 'GET' && accept === undefined
        ? fetchTogether({ path, headers, signal })
        : content && onProgress
          ? sendContent(path, { method, headers, content, signal, onProgress })
          : fetchServer(path, { method, headers, body: json, signal: signal ?? null })
    const answered = await busyWith(method, path, response.then(whole))
    if (answered.ok) noteAnswered(sent)
    else if (answered.status >= 500 && key) noteLost(sent, key)
    return answered
  } catch (error) {
    if (signal?.aborted) throw error
    if (key) noteLost(sent, key)
    const next =
      method === 'POST' && !key
        ? t('The request may have been processed: check before you try again.')
        : t('Then try again.')
    throw new ApiError('SERVICE_UNAVAILABLE', t('The server cannot be reached. Check the connection. {next}', { next }))
  }
}

/** A response whose body has arrived: it can break off. */
async function whole(response: Response): Promise<Response> {
  return new Response(await response.blob(), response)
}

/** The ETag of a record. Throws for a record of a list, which has none: a change could overwrite another one. */
function tagOf(record: object): string {
  const tag = tags.get(record)
  if (!tag) throw new Error('The record was not read by its id')
  return tag
}

/** Whether a request failed because its record does not exist or was deleted. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'NOT_FOUND'
}
