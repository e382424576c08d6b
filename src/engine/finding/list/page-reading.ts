import type { Reader } from '../../../store/reader.ts'
import { hasRestricted, isRestricted } from '../../../store/visibility.ts'
import type { Reading } from '../reading.ts'
import { costliest, isLong, isQuick } from './list-cost.ts'
import { findPage, type Listing, type Page } from './page.ts'

/** A page of a list. */
export const pageReading: Reading<Listing, Page> = {
  name: 'list',
  isQuick: (reader, listing) => listing.ids === undefined && isQuick(reader, asSeen(reader, listing)),
  advice: ({ where }) => narrowing(where) ?? `read it page by page with cursor, or ${few}`,
  run: (reader, listing, proceed) =>
    findPage(reader, { ...asSeen(reader, listing), stoppable: proceed !== undefined && isLong(reader, listing) }),
}

/** What is stored of all records is no answer if not everybody sees all. */
function asSeen(reader: Reader, listing: Listing): Listing {
  const isPart = listing.counted && isRestricted(listing.table) && hasRestricted(reader)
  return isPart ? { ...listing, counted: false } : listing
}

const few = 'add a filter that few records match'

/** What to say of the filters of a read that takes too long. */
export function narrowing(where: Listing['where']): string | undefined {
  const filter = costliest(where)
  return filter && `narrow the filter ${filter.parameter}, or ${few}`
}
