import { t } from '../text/texts.ts'
import { post, request } from './http.ts'
import { placeOf } from './once.ts'
import type { Row } from './resource-views.ts'

/** Who made a change: an API key, a user, an import, the command line, or the server. */
export interface Actor {
  type: 'api_key' | 'user' | 'import' | 'operator' | 'system'
  id: string | null
  name: string
}

/** What caused a change. */
interface Cause {
  bulk_job_id?: string
  reverts?: number[]
  merge?: string
  /** The proposal that was applied. */
  proposal?: string
  /** The agent's program and tool. */
  mcp?: { client: string | null; tool: string }
}

/** A change of a record, as the log shows it. */
export interface Change {
  seq: number
  /** `deal.stage_changed` */
  type: string
  resource: string
  record_id: string
  at: string
  actor: Actor
  request_id: string | null
  cause: Cause | null
  changed: string[]
  previous: Record<string, unknown> | null
  /** The record after the change, or as it was when it was deleted; null: it has been erased. */
  data: Row | null
}

/** What an undo did to a record, or would do. */
export interface Undone {
  resource: string
  record_id: string
  /** The fields that have their former values again; empty: the record was deleted or restored. */
  fields: string[]
  kept_fields: string[]
  message: string | null
}

export interface UndoReport {
  reversed: Undone[]
  kept: Undone[]
  errored: Undone[]
}

/** A job that undoes more changes than a request. */
export interface QueuedUndo {
  job_id: string
}

/** The changes to undo. */
export type Selection =
  | { seq: number }
  | { request_id: string }
  | { bulk_job_id: string }
  | { key_id: string; since: string }

interface UndoOptions {
  force?: boolean
}

export function undo(selection: Selection, options: UndoOptions = {}): Promise<UndoReport | QueuedUndo> {
  const environment = 'request_id' in selection && { environment: placeOf(selection.request_id) }
  return request('POST', '/api-v1-undo', { body: { ...selection, ...options }, ...environment })
}

/** What an undo would do. */
export function planUndo(selection: Selection, options: UndoOptions): Promise<UndoReport> {
  return post('/api-v1-undo', { ...selection, ...options, dry_run: true })
}

/** `stage_changed` of `deal.stage_changed` */
export function verbOf({ type }: Pick<Change, 'type'>): string {
  return type.slice(type.indexOf('.') + 1)
}

export function actorText({ type, name }: Actor): string {
  if (type === 'api_key') return t('API key “{name}”', { name })
  return type === 'operator' ? t('Command line') : name
}
