import type { Route } from '../../engine/api/call/route.ts'
import type { World } from '../world.ts'
import { clockRoutes } from './clock.ts'
import { exportRoute } from './export.ts'
import { faultRoutes } from './faults.ts'
import { type Forking, forkRoutes } from './forks.ts'
import { inboxRoutes } from './inbox.ts'
import { requestRoutes } from './requests.ts'
import { resetRoute } from './reset.ts'
import { snapshotRoutes } from './snapshots.ts'

export function controlRoutes(world: World, worlds: Forking): Route[] {
  return [
    resetRoute(world),
    ...snapshotRoutes(world),
    ...forkRoutes(world, worlds),
    ...clockRoutes(world),
    ...faultRoutes(world),
    ...inboxRoutes(world),
    ...requestRoutes(world),
    exportRoute(world),
  ]
}
