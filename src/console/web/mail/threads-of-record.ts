import { list, type Page, type Query } from '../data/http.ts'
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

/** What one request lists. */
const pageMax = 100

/** The newest messages of a record. */
export function useMails(of: string, id: string, limit: number): Loaded<Page<Row>> {
  const loaded = useData((signal) => listMails({ [`filter[${filters[of]}]`]: id }, limit, signal), [of, id, limit])
  useNews(({ resource }) => resource === 'message', loaded.refresh)
  return loaded
}

/** The newest messages of a thread, on whichever record they are. */
export function useThread(id: string, limit: number): Loaded<Page<Row>> {
  const loaded = useData((signal) => listMails({ 'filter[thread_id]': id }, limit, signal), [id, limit])
  useNews(({ resource }) => resource === 'message', loaded.refresh)
  return loaded
}

/** The newest messages that a filter matches, with as many requests as they need. */
async function listMails(filter: Query, limit: number, signal: AbortSignal): Promise<Page<Row>> {
  const read = (given: Query, most: number) =>
    list<Row>(path, { ...filter, ...given, include: included, limit: Math.min(most, pageMax) }, signal)
  let page = await read({}, limit)
  while (page.pagination.next_cursor !== null && page.data.length < limit) {
    const next = await read({ cursor: page.pagination.next_cursor }, limit - page.data.length)
    page = { ...next, data: [...page.data, ...next.data] }
  }
  return page
}

/** How many messages the first hundred of threads have. Read again with each list of messages. */
export function useCounts(threads: readonly Thread[], readWith: unknown): ReadonlyMap<string, number> {
  const ids = threads
    .slice(0, pageMax)
    .map(({ id }) => id)
    .join()
  const query = { 'thread_id[in]': ids, group_by: 'thread_id', limit: pageMax }
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
