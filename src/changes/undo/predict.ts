import type { Claims } from '../../engine/records/declared/claims.ts'
import { requireUniqueValues, uniqueValues } from '../../engine/records/declared/values.ts'
import type { Row } from '../../engine/records/definition/change.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { listDeletedParts, listParts, type Part } from '../../engine/records/rows/list-parts.ts'
import { requireEntry } from '../../engine/records/rows/requirements.ts'
import { lookupRow } from '../../engine/records/rows/stored-row.ts'
import { claimOfRow, requireUnique } from '../../engine/records/rows/write.ts'
import type { ApiError } from '../../errors.ts'
import type { Reader } from '../../store/reader.ts'
import type { UndoEntry } from '../logged.ts'
import { type Grouped, type Meanwhile, requireRestorable, unlessInTheWay } from '../restore.ts'
import { formerOf, requireReferences, requireReturn } from './apply.ts'
import type { Planned } from './plan.ts'
import { isObstacle } from './refusals.ts'
import type { UndoReport } from './report.ts'
import { type Displaced, type Foreseen, flagGroupOf, givingWay, rivalOf, withDisplaced } from './sole.ts'
import { asShown, findResource, keepingInAll, planAll, requireUndoable, type Terms, undoInTurn } from './undo.ts'

/**
 * What an undo would do, judged by what is read: nothing is written, and no lock is taken. Records are undone in thought in the order in
 * which an undo does it. What only a rule of a resource notices while it writes (`beforeWrite`, `beforeRestore`) is not predicted, aside from
 * the fields that follow other records (`keptByUndo`).
 */
export function predictUndo(reader: Reader, entries: readonly UndoEntry[], terms: Terms): UndoReport {
  const thought = new Thought()
  const attempt = (each: Planned) => obstacleOf(reader, each, terms, thought)
  const giveIn = (stuck: readonly Planned[], gone: readonly Planned[]) =>
    keepingInAll(reader, stuck, terms, gone, thought)
  const report = undoInTurn(planAll(reader, entries, terms.resources, undefined), attempt, giveIn)
  return withDisplaced(report, thought.displaced)
}

/** What records are after some have been undone in thought. */
class Thought implements Meanwhile, Claims, Foreseen {
  /** By id; null: deleted. */
  readonly rows = new Map<string, Row | null>()
  readonly holders = new Map<string, string>()
  readonly displaced: Displaced = new Map()
  readonly #returned = new Set<string>()
  readonly #changed = new Map<string, ReadonlySet<string>>()
  readonly #more = new Map<string, number>()
  readonly #claims = new Map<string, string>()

  readonly isReturning = (id: string): boolean => this.#returned.has(id)
  readonly isLeaving = (id: string): boolean => this.rows.get(id) === null

  besides(resource: Grouped, of?: Row): number {
    return this.#more.get(of ? groupOf(resource, of) : resource.name) ?? 0
  }

  #count(resource: Resource, row: Row, more: number): void {
    for (const key of new Set([resource.name, groupOf(resource, row)])) {
      this.#more.set(key, (this.#more.get(key) ?? 0) + more)
    }
  }

  isFree(id: string, field: string): boolean {
    return this.isLeaving(id) || this.#changed.get(id)?.has(field) === true
  }

  holderOf(claim: string): string | undefined {
    return this.#claims.get(claim)
  }

  /** Removes a record with its parts. */
  remove(resource: Resource, reader: Reader, id: string): void {
    const isStill = (part: Part) => (this.rows.get(part.id)?.[part.resource.partOf!] ?? id) === id
    const parts = listParts(resource, reader, id).filter((part) => !this.isLeaving(part.id) && isStill(part))
    for (const part of parts) this.remove(part.resource, reader, part.id)
    this.#count(resource, this.rows.get(id) ?? lookupRow(resource, reader, id) ?? {}, -1)
    this.rows.set(id, null)
  }

  /** Takes the flag of its group from a record. */
  displace(resource: Resource, reader: Reader, id: string): void {
    this.rows.set(id, { ...(this.rows.get(id) ?? lookupRow(resource, reader, id)), [resource.sole!.flag]: 0 })
    this.displaced.set(id, resource)
  }

  set(resource: Resource, reader: Reader, id: string, { plan }: Planned, row: Row): void {
    this.rows.set(id, row)
    const group = flagGroupOf(resource, row)
    if (group !== undefined) this.holders.set(group, id)
    this.#changed.set(id, new Set(Object.keys(plan.fields)))
    const claim = claimOfRow(resource, row)
    if (claim !== undefined) this.#claims.set(claim, id)
    for (const { claims } of uniqueValues(resource, reader, row)) for (const each of claims) this.#claims.set(each, id)
    if (plan.existence !== 'restore') return
    for (const each of [{ id }, ...listDeletedParts(resource, reader, id)]) this.#returned.add(each.id)
    this.#count(resource, row, 1)
  }
}

/** The name of the records among which a record has its place. */
function groupOf({ name, ownedBy, within }: Grouped, row: Row): string {
  const by = ownedBy ?? within
  return by ? `${name} ${row[by]}` : name
}

/** Undoes the changes of a record in thought. Returns what is in the way. */
function obstacleOf(reader: Reader, planned: Planned, terms: Terms, thought: Thought): ApiError | undefined {
  try {
    requireUndoable(reader, planned, terms, thought)
    think(reader, planned, terms, thought)
    return undefined
  } catch (error) {
    if (!isObstacle(error)) throw error
    return asShown(error, planned, terms)
  }
}

/** Throws ApiError. */
function think(reader: Reader, planned: Planned, { resources, limits }: Terms, thought: Thought): void {
  const { entry, plan } = planned
  const resource = findResource(resources, entry.resource)
  const id = entry.recordId
  if (plan.existence === 'delete') {
    if (thought.isLeaving(id)) return // with what it is a part of
    resource.mayRemove?.(reader, id, thought.rows)
    thought.remove(resource, reader, id)
    return
  }
  const rival = rivalOf(reader, resource, planned, thought)
  const { values } = formerOf(resource, givingWay(plan, resource, rival))
  requireReferences(resource, reader, values, thought)
  if (thought.isLeaving(id)) requireReturn(resource, plan)
  let after: Row
  if (plan.existence === undefined) {
    const before = thought.rows.get(id) ?? lookupRow(resource, reader, id) // it may have lost a flag
    after = { ...before, ...values }
    requireEntry(resource, reader, { id, before, after }, thought.rows)
    requireFree(resource, reader, id, after, thought)
  } else {
    after = requireRestorable(resource, reader, id, limits, values, thought).after
    unlessInTheWay(() => requireFree(resource, reader, id, after, thought))
  }
  thought.set(resource, reader, id, planned, after)
  if (rival?.isDisplaced) thought.displace(resource, reader, rival.id)
}

/** Throws ALREADY_EXISTS. */
function requireFree(resource: Resource, reader: Reader, id: string, after: Row, thought: Thought): void {
  requireUnique(resource, reader, id, after, thought)
  if (after.metadata !== undefined) requireUniqueValues(resource, reader, id, after, thought)
}
