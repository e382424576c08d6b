import type { NextPage } from '../call/http-response.ts'
import type { Route } from '../call/route.ts'

export function nextByCursor(cursor: string | null): NextPage | undefined {
  return cursor === null ? undefined : { name: 'cursor', value: cursor }
}

/** What the response of a list by cursor ends with. */
const ending = /"next_cursor":"([\w-]+)"\}\}$/

/** Adds the next page to the responses of a route whose lists have cursors only. */
export function withNextPage(route: Route): Route {
  return {
    ...route,
    run: async (call) => {
      const response = await route.run(call)
      const next = nextByCursor(ending.exec(response.body)?.[1] ?? null)
      return next ? { ...response, next } : response
    },
  }
}
