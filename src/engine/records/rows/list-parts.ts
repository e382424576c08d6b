import type { Reader } from '../../../store/reader.ts'
import { indexed } from '../../../store/visibility.ts'
import { byReference } from '../columns.ts'
import type { Resource } from '../definition/resource.ts'
import { partsOf } from '../parts.ts'

/** A record that belongs to another one, its whole. */
export interface Part {
  readonly resource: Resource
  readonly id: string
}

/** The undeleted parts of a record, in their order. */
export function listParts(whole: Resource, reader: Reader, id: string): Part[] {
  return partsOf(whole).flatMap((resource) => {
    const sql = `SELECT id FROM ${byReference(resource, resource.partOf!)}
      WHERE workspace_id = :workspace AND ${resource.partOf} = ? AND deleted_at IS NULL ORDER BY ${orderOf(resource)}`
    return reader.values<string>(sql, id).map((each) => ({ resource, id: each }))
  })
}

/** The parts that were deleted with a record, in their order. */
export function listDeletedParts(whole: Resource, reader: Reader, id: string): Part[] {
  return partsOf(whole).flatMap((resource) => {
    const sql = `SELECT id FROM ${indexed('trash', 'trash_deleted_with')} CROSS JOIN ${resource.table} USING (workspace_id, id)
      WHERE workspace_id = :workspace AND deleted_with = ? AND ${resource.partOf} = ? ORDER BY ${orderOf(resource)}`
    return reader.values<string>(sql, id, id).map((each) => ({ resource, id: each }))
  })
}

/** Where the last ones are deleted first and the first ones restored first, no other one moves. */
function orderOf({ fields }: Resource): string {
  return fields.position ? 'position, id' : 'id'
}
