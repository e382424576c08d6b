import type { Reader } from '../../../store/reader.ts'
import { storedCount } from '../../records/select.ts'
import { foldedBytesMax, longBytes } from '../list/list-cost.ts'
import type { SearchTarget } from './target.ts'

/** A search that reads at most so many records, and folds few bytes, takes less than 20 ms. */
const quickRecordsMax = 1_000
/** What reading the value of a declared field takes, compared with a record. */
const declaredCost = 0.2

/** Whether the event loop may run a search, because it is short even if every record may match. */
export function isQuickSearch(reader: Reader, targets: readonly SearchTarget[]): boolean {
  const records = targets.reduce((sum, target) => sum + storedCount(target.name, reader) * costOf(target), 0)
  if (records > quickRecordsMax) return false
  const bytes = targets.map(({ table, fields }) => {
    const long = fields.filter(({ form }) => form === 'unfolded').map(({ column }) => column)
    return longBytes(reader, table, long)
  })
  return bytes.reduce((sum, each) => sum + each, 0) <= foldedBytesMax
}

function costOf({ fields }: SearchTarget): number {
  return 1 + declaredCost * fields.filter(({ items }) => items?.also !== '').length
}
