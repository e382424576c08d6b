import type { ApiResponse } from '../engine/api/call/http-response.ts'
import type { Ctx } from './exchange.ts'

/** Adds `Link` to a page of a list: the same request for the next page. */
export function linkNext({ state: { path, query } }: Ctx, response: ApiResponse): ApiResponse {
  const { next, headers = [] } = response
  if (!next) return response
  const parameters = new URLSearchParams(query)
  parameters.set(next.name, String(next.value))
  return { ...response, headers: [...headers, 'Link', `<${path}?${parameters}>; rel="next"`] }
}
