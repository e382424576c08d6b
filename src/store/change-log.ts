import type { Statement } from 'better-sqlite3'
import { packUuid, parseUuid, unpackUuid } from '../lib/uuid.ts'
import { moveOfWorkspaceSql, readMove, refuseMoved } from './move-state.ts'
import type { View } from './viewer.ts'

/** Who makes a change: an API key, a user, an import (a bulk job), the command line, or the server itself. */
export const actorTypes = ['api_key', 'user', 'import', 'operator', 'system'] as const

export interface Actor {
  readonly type: (typeof actorTypes)[number]
  /** Null for `operator` and `system`. */
  readonly id: string | null
}

/** Where a write comes from. */
export interface Origin {
  readonly actor: Actor
  /** The id of the request. */
  readonly requestId?: string | undefined
  /** What caused it, as JSON: `{"reverts":[17]}`. An import's changes need none: their actor is the job. */
  readonly cause?: string | undefined
  /** For whom rows are read. Default: everything. */
  readonly view?: View | undefined
}

/** A change that is about to be logged (decision G3). */
export interface NewChange {
  /** `deal.updated` */
  readonly type: string
  readonly recordId: string
  /** The former values of the changed fields, as JSON. */
  readonly previous?: string | undefined
  /** The record after the change, as JSON, if it cannot be derived from the record and later changes. */
  readonly data?: string | undefined
}

export const system: Origin = { actor: { type: 'system', id: null } }
export const operator: Origin = { actor: { type: 'operator', id: null } }

/** The same origin with a further cause: `causedBy(origin, { merge: id })`. */
export function causedBy(origin: Origin, cause: Readonly<Record<string, unknown>>): Origin {
  return { ...origin, cause: JSON.stringify({ ...JSON.parse(origin.cause ?? '{}'), ...cause }) }
}

/** Whether a write undoes another one. */
export function isUndo(origin: Origin): boolean {
  return revertedBy(origin).length > 0
}

/** The numbers of the changes that a write undoes, the oldest one first. */
export function revertedBy({ cause }: Origin): readonly number[] {
  return JSON.parse(cause ?? '{}').reverts ?? []
}

/** Announced to listeners (`Store.listen`) when a workspace has new changes. */
export const changed = 'changed'

/** The newest change of a workspace. */
interface Head {
  seq: number
  atMs: number
}

/** The write that makes a change. */
interface Frame {
  readonly workspaceId: number
  readonly nowMs: number
  readonly origin: Origin
}

/** Prepares each statement once. */
interface Prepared {
  row(sql: string): Statement
  value(sql: string): Statement
}

const insertSql =
  'INSERT INTO change (workspace_id, seq, type, record_id, at, actor, request_id) VALUES (:workspace, ?, ?, ?, ?, ?, ?)'
/** Costs a tenth more than the one above, which is enough for most changes. */
const insertWithTextsSql = `INSERT INTO change (workspace_id, seq, type, record_id, at, actor, request_id, cause, previous, data)
  VALUES (:workspace, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const termsMax = 10_000

/**
 * Appends to the logs of all workspaces, in the transactions of the writes. It remembers the newest change of each workspace, because
 * a lookup would cost half as much again as the append. Call `forget` after a rollback and after another connection has written.
 */
export class ChangeLog {
  readonly #prepared: Prepared
  readonly #appended = new Map<number, number>()
  readonly #heads = new Map<number, Head>()
  readonly #terms = new Map<string, number>()

  constructor(prepared: Prepared) {
    this.#prepared = prepared
  }

  forget(): void {
    this.#heads.clear()
    this.#appended.clear()
    this.#terms.clear()
  }

  /** The newest numbers of the workspaces that have changed since the last call. */
  takeAppended(): ReadonlyMap<number, number> {
    const appended = new Map(this.#appended)
    this.#appended.clear()
    return appended
  }

  /** The times of changes never decrease, even if the clock is set back. */
  append({ workspaceId, nowMs, origin }: Frame, { type, recordId, previous, data }: NewChange): void {
    const head = this.#heads.get(workspaceId) ?? this.#readHead(workspaceId)
    const next = { seq: head.seq + 1, atMs: Math.max(nowMs, head.atMs) }
    const { actor, requestId, cause } = origin
    const author = this.#term(actor.id === null ? actor.type : `${actor.type} ${actor.id}`)
    const request = requestId === undefined ? null : packRequestId(requestId)
    const values = [next.seq, this.#term(type), packUuid(recordId), next.atMs, author, request]
    const hasTexts = cause !== undefined || previous !== undefined || data !== undefined
    if (hasTexts) values.push(cause ?? null, previous ?? null, data ?? null)
    this.#prepared.row(hasTexts ? insertWithTextsSql : insertSql).run(values, { workspace: workspaceId })
    this.#heads.set(workspaceId, next)
    this.#appended.set(workspaceId, next.seq)
  }

  /** Throws COMPANY_MOVED, SERVICE_UNAVAILABLE if the company is not served here: its log must not go on in two places. */
  #readHead(workspace: number): Head {
    refuseMoved(readMove(this.#prepared.value(moveOfWorkspaceSql).get({ workspace }) as string | undefined))
    const sql = 'SELECT seq, at AS atMs FROM change WHERE workspace_id = :workspace ORDER BY seq DESC LIMIT 1'
    return (this.#prepared.row(sql).get({ workspace }) as Head | undefined) ?? { seq: 0, atMs: 0 }
  }

  /** The number of a term. Its first use stores it. */
  #term(text: string): number {
    let id = this.#terms.get(text)
    if (id !== undefined) return id
    this.#prepared.row('INSERT OR IGNORE INTO change_term (text) VALUES (?)').run(text)
    id = this.#prepared.value('SELECT id FROM change_term WHERE text = ?').get(text) as number
    if (this.#terms.size >= termsMax) this.#terms.clear()
    this.#terms.set(text, id)
    return id
  }
}

/** A request id as the log stores it: 16 bytes if it is a UUID in canonical form, otherwise text. */
export function packRequestId(id: string): Uint8Array | string {
  return parseUuid(id) === id ? packUuid(id) : id
}

export function unpackRequestId(stored: Uint8Array | string | null): string | null {
  return stored instanceof Uint8Array ? unpackUuid(stored) : stored
}
