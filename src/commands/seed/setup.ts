import type { JsonObject } from '../../engine/records/rows/validate.ts'
import { field } from '../../features/declared-fields/field.ts'
import { view } from '../../features/views/view.ts'
import { firstDay } from './calendar.ts'
import type { Cast } from './cast.ts'
import { headcounts } from './companies.ts'
import { defeats } from './talks.ts'

/** The owner declares fields of metadata and shares views before the first record. */
export function tellSetup({ diary, userIds: [owner], stageIds }: Cast): void {
  const fields = [
    { resource: 'organization', key: 'employees', label: 'Employees', type: 'choice', options: headcounts },
    { resource: 'deal', key: 'lost_reason', label: 'Reason of loss', type: 'choice', options: reasons },
    { resource: 'activity', key: 'rating', label: 'Stars', type: 'number' },
  ]
  for (const [position, body] of fields.entries()) diary.create(firstDay, owner!, field, { ...body, position })
  for (const body of viewsOf(stageIds.slice(0, 4))) diary.create(firstDay, owner!, view, body)
}

const reasons = [...new Set(defeats.map(({ reason }) => reason))]

function viewsOf(openStageIds: readonly string[]): JsonObject[] {
  return [
    {
      ...{ name: 'Large open deals', resource: 'deal', layout: 'board' },
      filter: queryOf({ 'value[gte]': '5000', 'stage_id[in]': openStageIds.join() }),
      sort: '-value',
    },
    {
      ...{ name: 'Lost deals by reason', resource: 'deal' },
      filter: queryOf({ 'metadata.lost_reason[ne]': 'null' }),
      sort: 'metadata.lost_reason,-value',
      columns: ['title', 'value', 'organization_id', 'metadata.lost_reason', 'updated_at'],
    },
    {
      ...{ name: 'Large customers', resource: 'organization' },
      filter: queryOf({ status: 'active', 'metadata.employees[in]': headcounts.slice(2).join() }),
      sort: '-metadata.employees,name',
      columns: ['name', 'city', 'country', 'metadata.employees'],
    },
    {
      ...{ name: 'Unhappy customers', resource: 'activity' },
      filter: queryOf({ type: 'rating', 'metadata.rating[lte]': '3' }),
      sort: 'metadata.rating,-created_at',
      columns: ['subject', 'organization_id', 'contact_id', 'metadata.rating', 'created_at'],
    },
  ]
}

function queryOf(filters: Readonly<Record<string, string>>): string {
  return new URLSearchParams(filters).toString()
}
