import type { Resource } from '../engine/definition/define.ts'
import type { Route } from '../engine/route.ts'
import { routesOf } from '../engine/routes.ts'
import { activity } from './activity.ts'
import { apiKey, revokeRoute } from './api-key.ts'
import { bulkRoutes } from './bulk-routes.ts'
import { contact } from './contact.ts'
import { deal } from './deal.ts'
import { keyUsageRoute } from './key-usage.ts'
import { meRoute } from './me.ts'
import { organization } from './organization.ts'
import { restrict } from './restrictions.ts'
import { stage } from './stage.ts'
import { task } from './task.ts'
import { user } from './user.ts'

/** Every resource that is served. What is listed here is routed, documented and tested. */
export const resources: readonly Resource[] = [organization, contact, deal, stage, task, activity, user, apiKey]

/** Every endpoint: the resources' own, and what is no resource. */
export const routes: readonly Route[] = [
  ...resources.flatMap(routesOf),
  revokeRoute,
  keyUsageRoute,
  meRoute,
  ...bulkRoutes,
].map(restrict)
