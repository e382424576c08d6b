import { get, list, type Page } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'

/** Activities of a record, and whether there are more. */
export interface Activities {
  data: Row[]
  hasMore: boolean
}

interface Asked {
  of: string
  /** The activities' field that refers to the record. */
  field: string
  row: Row
  limit: number
}

/**
 * The newest activities of a record. Those of a deal are its own, and those of the people on it that were written before it was closed: they
 * count for it, too (decision T5).
 */
export async function loadActivities({ of, field, row, limit }: Asked, signal: AbortSignal): Promise<Activities> {
  const [own, ofPeople] = await Promise.all([
    read({ [`filter[${field}]`]: row.id }, limit, signal),
    of === 'deal' && row.contacts?.length > 0 ? readOfPeople(row, limit, signal) : undefined,
  ])
  if (!ofPeople) return { data: own.data, hasMore: own.pagination.has_more }
  const all = new Map([...own.data, ...ofPeople.data].map((each) => [each.id, each]))
  const newest = [...all.values()].sort((a, b) => Date.parse(occurredAt(b)) - Date.parse(occurredAt(a)))
  const hasMore = own.pagination.has_more || ofPeople.pagination.has_more || newest.length > limit
  return { data: newest.slice(0, limit), hasMore }
}

/** Of a deal that is closed, as the kind of its stage is now, a second request leaves out what was written later. */
async function readOfPeople({ id, contacts, stage_id }: Row, limit: number, signal: AbortSignal): Promise<Page<Row>> {
  const people = { 'filter[contact_id][in]': (contacts as Row[]).map((each) => each.id).join() }
  const [stage, [row], all] = await Promise.all([
    get<Row>(`/api-v1-stages/${stage_id}`, signal),
    get<Row[]>(`/api-v1-deals/summary?id=${id}&group_by=closed_at`, signal),
    read(people, limit, signal),
  ])
  const closedAt: string | null = stage.kind === 'open' ? null : (row?.group.closed_at ?? null)
  if (closedAt === null || all.data.every((each) => each.created_at <= closedAt)) return all
  return read({ ...people, 'filter[created_at][lte]': closedAt }, limit, signal)
}

function read(filters: Record<string, string>, limit: number, signal: AbortSignal): Promise<Page<Row>> {
  return list<Row>('/api-v1-activities', { ...filters, include: 'user,contact', sort: 'occurred_at', limit }, signal)
}

/** `occurred_at` of the metadata if it is before the activity was written, as lists sort it; otherwise when that was. */
export function occurredAt({ metadata, created_at }: Row): string {
  const given = metadata?.occurred_at
  const isTime = typeof given === 'string' && /^\d{4}-\d\d-\d\d/.test(given.trim())
  return isTime && Date.parse(given.trim()) <= Date.parse(created_at) ? given.trim() : created_at
}
