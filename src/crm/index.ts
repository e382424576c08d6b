import type { Resource } from '../engine/definition/resource.ts'
import type { Route } from '../engine/route.ts'
import { activity } from './activity.ts'
import { apiKey, revokeRoute } from './api-key.ts'
import { contact } from './contact.ts'
import { deal } from './deal.ts'
import { keyUsageRoute } from './key-usage.ts'
import { meRoute } from './me.ts'
import { organization } from './organization.ts'
import { searchRoute } from './search-route.ts'
import { stage } from './stage.ts'
import { task } from './task.ts'
import { user } from './user.ts'

/** The resources of the CRM; `features/index.ts` adds those of the features. */
export const crmResources: readonly Resource[] = [organization, contact, deal, stage, task, activity, user, apiKey]

/** The endpoints of the CRM that are not derived from a resource. */
export const crmRoutes: readonly Route[] = [
  revokeRoute,
  keyUsageRoute,
  meRoute,
  searchRoute(crmResources.filter(({ search }) => search)),
]
