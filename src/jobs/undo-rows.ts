import { type UndoEntry, undoRecord } from '../changes/undo/undo.ts'
import type { Resource } from '../engine/definition/resource.ts'
import { inSavepoint, type RowWork } from './row-work.ts'

/** The work of a row of an undo, given as JSON: the changes of one record. What is kept is an error of the row. */
export function undoRow(resources: readonly Resource[], text: string): RowWork {
  const entry = JSON.parse(text) as UndoEntry
  return inSavepoint((tx, limits) => {
    undoRecord(tx, entry, { resources, limits })
    return { id: entry.recordId, outcome: 'updated' }
  })
}
