import { scopes } from '../access/scopes.ts'
import { withAsOf } from '../changes/as-of.ts'
import { historyRoute } from '../changes/history.ts'
import { changeRoutes } from '../changes/index.ts'
import { assertDefinitions } from '../engine/assert-definitions.ts'
import type { Resource } from '../engine/definition/resource.ts'
import type { Route } from '../engine/route.ts'
import { routesOf } from '../engine/routes.ts'
import type { Reader } from '../store/reader.ts'
import { activity } from './activity.ts'
import { apiKey, revokeRoute } from './api-key.ts'
import { bulkJob } from './bulk-job.ts'
import { bulkRoutes, queueUndo } from './bulk-routes.ts'
import { contact } from './contact.ts'
import { deal } from './deal.ts'
import { receiptSchema } from './describe-bulk.ts'
import { keyUsageRoute } from './key-usage.ts'
import { meRoute } from './me.ts'
import { organization } from './organization.ts'
import { requireWrite, restrict } from './restrictions.ts'
import { stage } from './stage.ts'
import { task } from './task.ts'
import { user } from './user.ts'
import { forget, webhook } from './webhook.ts'
import { webhookRoutes } from './webhook-routes.ts'

/** Every resource. The server serves, documents and tests what is listed here. */
export const resources: readonly Resource[] = [
  organization,
  contact,
  deal,
  stage,
  task,
  activity,
  user,
  apiKey,
  webhook,
]

/** Every resource whose changes the log records. */
export const loggedResources: readonly Resource[] = [...resources, bulkJob]

/** Every endpoint: those of the resources, and those that belong to none. */
export const routes: readonly Route[] = [
  ...resources.flatMap((resource) => [
    ...(resource === webhook ? webhookRoutes : routesOf(resource)).map((route) => withAsOf(resource, route)),
    historyRoute(resource),
  ]),
  revokeRoute,
  keyUsageRoute,
  meRoute,
  ...bulkRoutes,
  ...changeRoutes({ resources: loggedResources, requireWrite, forget, queueUndo, receiptSchema }),
].map(restrict)

/** Checks the definitions of all resources against the scopes and the open database. Throws an error that names every problem. */
export function assertResources(schema: Reader): void {
  assertDefinitions(loggedResources, { scopes: [...scopes, 'read:any', 'any'], schema })
}
