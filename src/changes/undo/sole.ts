import type { Row } from '../../engine/records/definition/change.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { lookupAnyRow, lookupRow } from '../../engine/records/rows/stored-row.ts'
import { packUuid } from '../../lib/uuid.ts'
import type { Reader } from '../../store/reader.ts'
import { formerOf } from './apply.ts'
import type { Plan, Planned } from './plan.ts'
import type { Undone, UndoReport } from './report.ts'

/** What records are by then. */
export interface Foreseen {
  /** By id; null: deleted. */
  readonly rows: ReadonlyMap<string, Row | null>
  /** By group (`flagGroupOf`), the id of the last of them that has got the flag. */
  readonly holders: ReadonlyMap<string, string>
}

export const nothingForeseen: Foreseen = { rows: new Map(), holders: new Map() }

/** The record that has the flag of a group (`sole`) with which another one comes back. */
interface Rival {
  readonly id: string
  /** Whether it loses the flag. */
  readonly isDisplaced: boolean
}

/** The records that have lost the flag, by id. */
export type Displaced = Map<string, Resource>

/** The flag that an undo keeps, because another record has it since (decision G11). */
export function soleKept(reader: Reader, resource: Resource, planned: Planned, meanwhile: Foreseen): string[] {
  const { plan, entry } = planned
  const { flag } = resource.sole ?? {}
  if (flag === undefined || plan.fields[flag] !== true || entry.force) return []
  const rival = lookupRival(reader, resource, planned, meanwhile)
  return rival && !isOfSameChange(reader, resource, rival, entry.seq) ? [flag] : []
}

/** The record that has the flag when a record comes back as planned, or comes back to the group. */
export function rivalOf(reader: Reader, resource: Resource, planned: Planned, meanwhile: Foreseen): Rival | undefined {
  const { plan, entry } = planned
  const { flag, within } = resource.sole ?? {}
  const isChanged = [flag, within].some((name) => name !== undefined && Object.hasOwn(plan.fields, name))
  const mayGetIt = flag !== undefined && (isChanged || plan.existence === 'restore') && plan.existence !== 'delete'
  const id = mayGetIt && lookupRival(reader, resource, planned, meanwhile)
  if (!id) return undefined
  const isForced = entry.force && plan.existence === undefined
  return { id, isDisplaced: isForced || plan.fields[resource.sole!.flag] === true }
}

/** The plan of a record that comes back to a group in which another one has its flag by now: that one may be undone, too. */
export function withFlag(reader: Reader, resource: Resource, planned: Planned): Plan {
  const { plan, entry } = planned
  const rival = rivalOf(reader, resource, planned, nothingForeseen)
  if (!rival || rival.isDisplaced || entry.force) return plan
  return { ...plan, fields: { ...plan.fields, [resource.sole!.flag]: true } }
}

/** The plan of a record that comes back without the flag. */
export function givingWay(plan: Plan, { sole }: Resource, rival: Rival | undefined): Plan {
  if (!rival || rival.isDisplaced) return plan
  return { ...plan, fields: { ...plan.fields, [sole!.flag]: false } }
}

/** The report with the records that have lost the flag: each record is in one list. */
export function withDisplaced(report: UndoReport, displaced: Displaced): UndoReport {
  const { reversed, kept, errored } = report
  const known = new Set([...reversed, ...errored].map(({ record_id }) => record_id))
  const lost = [...displaced].flatMap(([id, { name, sole }]): Undone[] => {
    const own = kept.find(({ record_id }) => record_id === id) ?? { seq: [], kept_fields: [] }
    const { seq, kept_fields } = own
    const fields = [sole!.flag]
    return known.has(id) ? [] : [{ resource: name, record_id: id, seq, fields, kept_fields, code: null, message: null }]
  })
  if (lost.length === 0) return report
  return {
    reversed: [...reversed, ...lost],
    kept: kept.filter(({ record_id }) => !displaced.has(record_id)),
    errored,
  }
}

function lookupRival(
  reader: Reader,
  resource: Resource,
  { entry: { recordId }, plan }: Planned,
  meanwhile: Foreseen,
): string | undefined {
  const { table, sole } = resource
  const { flag, within } = sole!
  const row = meanwhile.rows.get(recordId) ?? lookupAnyRow(resource, reader, recordId)
  const after: Row = { ...row, ...formerOf(resource, plan).values }
  const group = flagGroupOf(resource, after)
  if (group === undefined) return undefined
  const isRival = (id: string | undefined): id is string =>
    id !== undefined && id !== recordId && flagGroupOf(resource, meanwhile.rows.get(id) ?? {}) === group
  const later = meanwhile.holders.get(group)
  if (isRival(later)) return later
  const sql = `SELECT id FROM ${table} WHERE workspace_id = :workspace AND ${flag} = 1 AND deleted_at IS NULL
    ${within === undefined ? '' : `AND ${within} = ?`} AND id <> ? LIMIT 1`
  const stored = reader.value<string>(sql, ...(within === undefined ? [] : [after[within]!]), recordId)
  return stored === undefined || !meanwhile.rows.has(stored) || isRival(stored) ? stored : undefined
}

/** The name of the records of which one at most has the flag, if this one has it. */
export function flagGroupOf({ name, sole }: Resource, row: Row): string | undefined {
  if (!sole || row[sole.flag] !== 1) return undefined
  if (sole.within === undefined) return name
  const group = row[sole.within] ?? null
  return group === null ? undefined : `${name} ${group}`
}

/** Whether a record has got a flag that is never cleared by the change that took it from another one: it cannot give it back otherwise. */
function isOfSameChange(reader: Reader, resource: Resource, rival: string, seqs: readonly number[]): boolean {
  const { name, sole } = resource
  const hasIt = sole!.isAlwaysSet && lookupRow(resource, reader, rival)?.[sole!.flag] === 1 // otherwise it gets it by the same undo
  if (!hasIt) return false
  const sql = `SELECT request_id IN (SELECT request_id FROM change WHERE workspace_id = :workspace AND seq IN (SELECT value FROM json_each(?)))
    FROM change INDEXED BY change_record_id WHERE workspace_id = :workspace AND record_id = ? AND (previous -> ? IS NOT NULL
      OR type IN (SELECT id FROM change_term WHERE text IN ('${name}.created', '${name}.restored'))) ORDER BY seq DESC LIMIT 1`
  return reader.value<number>(sql, JSON.stringify(seqs), packUuid(rival), `$.${sole!.flag}`) === 1
}
