import { list, type Page } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import type { Row } from '../data/resource-views.ts'
import { type Loaded, useData } from '../data/use-data.ts'

/** The messages of a conversation that are loaded, the newest first. */
export interface Thread {
  id: string
  messages: readonly [Row, ...Row[]]
}

/** What lists of messages show with each one. */
const included = 'organization,deal,contacts,users,files'

const path = '/api-v1-messages'

/** The filters for the messages of a record, by its resource. */
const filters: Readonly<Record<string, string>> = {
  organization: 'organization_id',
  contact: 'contact_id',
  deal: 'deal_id',
}

/** The newest messages of a record. */
export function useMails(of: string, id: string, limit: number): Loaded<Page<Row>> {
  const query = { [`filter[${filters[of]}]`]: id, include: included, limit }
  const loaded = useData((signal) => list<Row>(path, query, signal), [of, id, limit])
  useNews(({ resource }) => resource === 'message', loaded.refresh)
  return loaded
}

/** The newest messages of a thread, on whichever record they are. */
export function useThread(id: string, limit: number): Loaded<Page<Row>> {
  const query = { 'filter[thread_id]': id, include: included, limit }
  const loaded = useData((signal) => list<Row>(path, query, signal), [id, limit])
  useNews(({ resource }) => resource === 'message', loaded.refresh)
  return loaded
}

/** How many messages the threads with these ids have, separated by commas. Read again with each list of messages. */
export function useCounts(ids: string, readWith: unknown): ReadonlyMap<string, number> {
  const query = { 'thread_id[in]': ids, group_by: 'thread_id' }
  const load = async (signal: AbortSignal) => {
    if (ids === '') return []
    return (await list<{ group: { thread_id: string }; count: number }>(`${path}/summary`, query, signal)).data
  }
  const { data = [] } = useData(load, [ids, readWith])
  return new Map(data.map(({ group, count }) => [group.thread_id, count]))
}

/** Messages in their threads, the newest thread first. `messages`: the newest first. */
export function threadsOf(messages: readonly Row[]): Thread[] {
  const threads = Map.groupBy(messages, ({ thread_id }) => thread_id as string)
  return [...threads].map(([id, all]) => ({ id, messages: all as [Row, ...Row[]] }))
}
