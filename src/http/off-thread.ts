import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DuplicateSearch } from '../engine/duplicates/find.ts'
import type { DuplicateGroup } from '../engine/duplicates/group.ts'
import type { Listing, Page } from '../engine/list/page.ts'
import type { Asked, Read } from '../engine/reading.ts'
import type { Search, SearchResult } from '../engine/search/find.ts'
import type { Group, Summing } from '../engine/summary/find-groups.ts'
import type { Shown } from '../store/log-position.ts'
import type { Reader } from '../store/reader.ts'

/** Runs lists, summaries and searches, also for duplicates, that may take long on another thread. */
export interface OffThreadLists {
  find(workspaceId: number, listing: Listing, cause?: string, shown?: Shown): Promise<Page>
  findGroups(workspaceId: number, summing: Summing, cause?: string, shown?: Shown): Promise<Group[]>
  search(workspaceId: number, search: Search, cause?: string, shown?: Shown): Promise<SearchResult[]>
  findDuplicates(workspaceId: number, search: DuplicateSearch, cause?: string, shown?: Shown): Promise<DuplicateGroup[]>
  read(workspaceId: number, asked: Asked, cause?: string, shown?: Shown): Promise<unknown>
}

/** Runs readings on other threads; `threads` undefined: here. The answer may show commits that the event loop notices in its next turn. */
export function readWith(
  reader: Reader,
  workspaceId: number,
  threads: Pick<OffThreadLists, 'read'> | undefined,
  { cause, shown }: { cause?: string | undefined; shown?: Shown | undefined } = {},
): Read {
  if (!threads) return async ({ run }, question) => run(reader, question, () => {})
  return async <Answer>({ name }: { name: string }, question: unknown) => {
    const answer = await threads.read(workspaceId, { reading: name, question }, cause, shown)
    await nextTurn()
    return answer as Answer
  }
}
