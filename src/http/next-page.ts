import type { ApiResponse } from '../engine/api/call/http-response.ts'
import type { Ctx } from './exchange.ts'

/** So that all headers fit into 4 KiB, which proxies accept by default. In bytes. */
const linkBytesMax = 2_048

/** Adds `Link` to a page of a list: the same request for the next page. A long one is left out: the body has the cursor. */
export function linkNext({ state: { path, query } }: Ctx, response: ApiResponse): ApiResponse {
  const { next, headers = [] } = response
  if (!next) return response
  const parameters = new URLSearchParams(query)
  parameters.set(next.name, String(next.value))
  const link = `<${path}?${parameters}>; rel="next"`
  return link.length > linkBytesMax ? response : { ...response, headers: [...headers, 'Link', link] }
}
