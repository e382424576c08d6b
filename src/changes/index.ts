import type { Route } from '../engine/route.ts'
import { feedRoute } from './feed-routes.ts'
import type { Logged } from './logged.ts'
import { snapshotRoute } from './snapshot-route.ts'
import { trashRoutes } from './trash.ts'
import { undoRoute } from './undo/route.ts'

/** The endpoints over the log of changes. */
export function changeRoutes(logged: Logged): Route[] {
  return [feedRoute(logged.resources), snapshotRoute(logged.resources), ...trashRoutes(logged), undoRoute(logged)]
}
