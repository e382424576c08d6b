import { heldBy, holdersOf } from '../../engine/records/holders.ts'
import type { ApiError, ErrorCode } from '../../errors.ts'
import type { Planned } from './plan.ts'

/** What happened to one record. */
export interface Undone {
  resource: string
  record_id: string
  /** The numbers of the selected changes. */
  seq: number[]
  fields: readonly string[]
  kept_fields: readonly string[]
  code: ErrorCode | null
  message: string | null
}

export interface UndoReport {
  reversed: Undone[]
  kept: Undone[]
  errored: Undone[]
}

export function undoneOf({ entry, plan }: Planned): Undone {
  const { resource, recordId, seq } = entry
  const names = { fields: Object.keys(plan.fields), kept_fields: plan.keptFields }
  return { resource, record_id: recordId, seq, ...names, code: null, message: null }
}

export function erroredOf(planned: Planned, error: ApiError): Undone {
  const { code, message } = error
  return heldBy({ ...undoneOf(planned), fields: [], code, message }, holdersOf(error))
}
