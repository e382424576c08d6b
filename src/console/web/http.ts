import { ApiError, type Detail, type ErrorCode } from '../../errors.ts'
import { environmentOf } from './place.ts'
import { reenter } from './session.ts'

/** Answers `data` of the API or of the console's own routes. Throws ApiError, with the server's details; offline: SERVICE_UNAVAILABLE. */
export async function request<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const answer = await send<{ data: T }>(method, path, body, signal)
  return answer.data
}

export const get = <T>(path: string, signal?: AbortSignal) => request<T>('GET', path, undefined, signal)
export const post = <T>(path: string, body: unknown = {}) => request<T>('POST', path, body)
export const patch = <T>(path: string, body: unknown) => request<T>('PATCH', path, body)
export const remove = (path: string) => request('DELETE', path)

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

/** A page of a list, with its pagination. */
export function list<T>(
  path: string,
  query: Record<string, string | number | undefined>,
  signal?: AbortSignal,
): Promise<Page<T>> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return send<Page<T>>('GET', text ? `${path}?${text}` : path, undefined, signal)
}

/** Asks who is signed in; undefined for nobody. */
export async function probe<T>(path: string): Promise<T | undefined> {
  const response = await fetchJson('GET', path, undefined)
  if (response.ok) return (await response.json()).data
  if (response.status === 401) return undefined
  throw await errorOf(response)
}

/** When the session has ended, waits until the user has signed in again and then repeats the request: nothing typed is lost. */
async function send<T>(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const response = await fetchJson(method, path, body, signal)
    if (response.ok) return (await response.json()) as T
    const error = await errorOf(response)
    if (response.status !== 401 || (method === 'POST' && path === '/console/session')) throw error
    await reenter()
  }
}

async function fetchJson(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { 'Kontor-Environment': environmentOf(location.pathname) }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const init: RequestInit = { method, headers, ...(signal && { signal }) }
  try {
    return await fetch(path, { ...init, ...(body !== undefined && { body: JSON.stringify(body) }) })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError('SERVICE_UNAVAILABLE', 'The server cannot be reached. Check the connection, then try again.')
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text()
  try {
    const { code, message, details } = JSON.parse(text).error as {
      code: ErrorCode
      message: string
      details?: Detail[]
    }
    return new ApiError(code, message, { status: response.status, ...(details && { details }) })
  } catch {
    return new ApiError('INTERNAL_ERROR', `The server answered ${response.status} without saying why.`)
  }
}
