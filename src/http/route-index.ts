import { acceptedScopes } from '../access/scopes.ts'
import type { Route } from '../engine/api/call/route.ts'
import { createDescriber } from '../engine/api/openapi/describer.ts'
import type { Describer } from '../engine/records/describe.ts'
import { mailIn, publicRoutes } from './openapi/public-routes.ts'

export interface RouteSummary {
  method: string
  /** `/api-v1-contacts/:id` */
  path: string
  summary: string
  /** The key needs one of these scopes; empty: any key is sufficient; undefined: no key is needed. */
  scopes?: readonly string[]
}

/** Every documented route. */
export function indexRoutes(routes: readonly Route[]): RouteSummary[] {
  const doc: Describer = createDescriber({ schemas: {}, tags: {} })
  const own = routes.map((route): RouteSummary => {
    const { summary, scopes = acceptedScopes(route.scope) } = route.describe(doc)
    return { method: route.method, path: route.path, summary, scopes }
  })
  const open = Object.entries(publicRoutes).map(([path, summary]) => ({
    method: 'GET',
    path,
    summary,
  }))
  return [...own, ...open, mailIn]
}
