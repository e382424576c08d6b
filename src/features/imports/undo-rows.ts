import type { UndoEntry } from '../../changes/logged.ts'
import { planAll, undoEach } from '../../changes/undo/undo.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import type { Reader } from '../../store/reader.ts'
import { failed, type RowWork, rowErrors } from './row-work.ts'

/**
 * The work of a row of an undo, given as JSON: the changes of one record. It is planned now, before the transaction. What is kept is an error
 * of the row. `requestId`: of the undo.
 */
export function undoRow(
  resources: readonly Resource[],
  reader: Reader,
  requestId: string | undefined,
  text: string,
): RowWork {
  const entry = JSON.parse(text) as UndoEntry
  const planned = planAll(reader, [entry], resources, requestId)
  return (tx, limits) => {
    try {
      const { reversed, kept, errored } = undoEach(tx, planned, { resources, limits })
      if (reversed[0]) return { outcome: 'updated', id: entry.recordId, errors: [], undone: reversed[0] }
      if (errored[0]) return { ...failed([{ error: errored[0].message! }]), undone: errored[0] }
      return { ...failed([{ error: `${kept[0]!.message}: it was kept` }]), undone: kept[0]! }
    } catch (error) {
      return failed(rowErrors(error))
    }
  }
}
