import { resourceOf } from '../session/session.ts'
import { list, type Query } from './http.ts'

const groupsAtOnce = 1_000

/** Loads all groups of a summary. */
export async function loadGroups<T>(of: string, query: Query, signal?: AbortSignal): Promise<T[]> {
  const groups: T[] = []
  let cursor: string | undefined
  do {
    const path = `/${resourceOf(of).path}/summary`
    const page = await list<T>(path, { limit: groupsAtOnce, ...query, cursor }, signal)
    groups.push(...page.data)
    cursor = page.pagination.next_cursor ?? undefined
  } while (cursor)
  return groups
}
