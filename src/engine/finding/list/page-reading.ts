import type { Reading } from '../reading.ts'
import { costliest, isLong, isQuick } from './list-cost.ts'
import { findPage, type Listing, type Page } from './page.ts'

/** A page of a list. */
export const pageReading: Reading<Listing, Page> = {
  name: 'list',
  isQuick: (reader, listing) => listing.ids === undefined && isQuick(reader, listing),
  advice: ({ where }) => narrowing(where) ?? `read it page by page with cursor, or ${few}`,
  run: (reader, listing, proceed) =>
    findPage(reader, { ...listing, stoppable: proceed !== undefined && isLong(reader, listing) }),
}

const few = 'add a filter that few records match'

/** What to say of the filters of a read that takes too long. */
export function narrowing(where: Listing['where']): string | undefined {
  const filter = costliest(where)
  return filter && `narrow the filter ${filter.parameter}, or ${few}`
}
