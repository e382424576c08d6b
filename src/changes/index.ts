import type { Resource } from '../engine/definition/resource.ts'
import type { Route } from '../engine/route.ts'
import { feedRoute } from './feed-routes.ts'

/** The endpoints over the log of changes. `resources` are those that the log records. */
export function changeRoutes(resources: readonly Resource[]): Route[] {
  return [feedRoute(resources)]
}
