import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import { ApiError } from '../errors.ts'
import type { ConsoleRoute, MemberCall } from './route.ts'

const path = '/console/read'

/** How many responses a page can get with one request. */
const readsMax = 16

/**
 * `?get=<path>&get=<path>`: the responses to up to 16 GETs of the API and of the console, as `{data: [{status, etag, body}, …]}` in the same
 * order. So a page needs one request for what it shows.
 */
export const readRoutes: ConsoleRoute[] = [{ method: 'GET', path, for: 'member', run: readAll }]

async function readAll({ query, get }: MemberCall): Promise<ApiResponse> {
  const targets = new URLSearchParams(query).getAll('get')
  if (targets.length === 0 || targets.length > readsMax || !targets.every(isReadable)) {
    throw new ApiError(
      'INVALID_REQUEST',
      `get must be given 1 to ${readsMax} times, each a path of the API or of the console`,
    )
  }
  const responses = await readEach(targets, get)
  const secret = responses.some((response) => response.secret) && { secret: true as const }
  const whole = { status: 200, body: '', ...secret }
  if (responses.some(({ parts }) => parts)) return { ...whole, parts: partsOf(responses) }
  return { ...whole, body: `{"data":[${responses.map((response) => `${beginOf(response)}${response.body}}`).join()}]}` }
}

/** Starts each read in a turn of the event loop of its own, because its part there may be as long as that of a request. */
export async function readEach<T>(targets: readonly string[], read: (target: string) => Promise<T>): Promise<T[]> {
  const started: Promise<T>[] = []
  for (const target of targets) {
    started.push(read(target))
    await nextTurn()
  }
  return Promise.all(started)
}

function isReadable(target: string): boolean {
  return target.startsWith('/api-v1-') || (target.startsWith('/console/') && !target.startsWith(path))
}

function beginOf({ status, etag }: ApiResponse): string {
  return `${JSON.stringify({ status, etag }).slice(0, -1)},"body":`
}

/** The same text if one of the responses is too long for memory. */
async function* partsOf(responses: readonly ApiResponse[]): AsyncIterable<string> {
  for (const [at, response] of responses.entries()) {
    yield (at === 0 ? '{"data":[' : ',') + beginOf(response)
    if (response.parts) yield* response.parts
    else yield response.body
    yield '}'
  }
  yield ']}'
}
