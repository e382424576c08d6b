import { lookupRow } from '../../engine/records/rows/stored-row.ts'
import type { Reader } from '../../store/reader.ts'
import type { UndoEntry } from '../logged.ts'
import type { ChangeHead } from '../stored-change.ts'
import { changesOfBrokenMerges } from './broken-merges.ts'
import { predictUndo } from './predict.ts'
import { findResource, type Terms } from './undo.ts'

/**
 * The merged records among the `selected` changes that would not come back although they were there before: something is in their way. What the
 * survivor keeps because of one may be in the way of another.
 */
export function lostOf(
  reader: Reader,
  selected: readonly ChangeHead[],
  entries: readonly UndoEntry[],
  terms: Terms,
): readonly string[] {
  const merged = selected.filter(({ type, cause }) => type.endsWith('.deleted') && isOfMerge(cause))
  const made = madeBy(selected)
  let lost: string[] = []
  for (let before = -1; before < lost.length && lost.length < merged.length; ) {
    before = lost.length
    const { reversed, kept } = predictUndo(reader, withoutLost(reader, entries, lost), terms)
    const absent = kept.filter(({ record_id }) => made.has(record_id)) // it was not there before
    const settled = new Set([...reversed, ...absent].map(({ record_id }) => record_id))
    const isLost = ({ resource, recordId }: ChangeHead) =>
      !settled.has(recordId) && !lookupRow(findResource(terms.resources, resource), reader, recordId)
    lost = [...new Set([...lost, ...merged.filter(isLost).map(({ recordId }) => recordId)])]
  }
  return lost
}

/** The records that the first of their changes which made or deleted them has made. */
function madeBy(selected: readonly ChangeHead[]): ReadonlySet<string> {
  const turns = selected.filter(({ type }) => /\.(?:created|restored|deleted)$/.test(type))
  const firsts = new Map(turns.toReversed().map(({ recordId, type }) => [recordId, type]))
  return new Set([...firsts].flatMap(([id, type]) => (type.endsWith('.deleted') ? [] : id)))
}

/** The entries without the changes of merges that stay because of `lost` records. */
export function withoutLost(
  reader: Reader,
  entries: readonly UndoEntry[],
  lost: readonly string[],
): readonly UndoEntry[] {
  if (lost.length === 0) return entries
  return entries.map((entry) => ({ ...entry, stays: changesOfBrokenMerges(reader, entry.seq, lost) }))
}

function isOfMerge(cause: string | null): boolean {
  return JSON.parse(cause ?? '{}').merge !== undefined
}
