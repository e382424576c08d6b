import type { Route } from '../engine/api/call/route.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import { apiKey, revokeRoute } from './api-key.ts'
import { exchangeRate } from './exchange-rate.ts'
import { keyUsageRoute } from './key-usage.ts'
import { meRoute } from './me.ts'
import { records } from './records.ts'
import { searchRoute } from './search-route.ts'
import { user } from './user.ts'

/** The resources of the CRM; `features/index.ts` adds those of the features. */
export const crmResources: readonly Resource[] = [...records, exchangeRate, user, apiKey]

/** The endpoints of the CRM that are not derived from a resource. */
export const crmRoutes: readonly Route[] = [
  revokeRoute,
  keyUsageRoute,
  meRoute,
  searchRoute(crmResources.filter(({ search }) => search)),
]
