import * as v from 'valibot'
import { ApiError } from '../../../errors.ts'
import { packUuid } from '../../../lib/uuid.ts'
import type { Reader, Writer } from '../../../store/reader.ts'
import type { Row } from '../../records/definition/change.ts'
import type { Collection, Field, Resource } from '../../records/definition/resource.ts'
import { itemMarks, itemsOf } from '../../records/rows/items.ts'
import type { StoredRow } from '../../records/rows/stored-row.ts'
import { itemsMax, missingReferences } from '../../records/rows/validate.ts'
import type { MergeRequest } from './request.ts'

/** A record that is merged. */
export interface Merging {
  id: string
  row: StoredRow
}

/** The values of the survivor: those given, and otherwise each that of the first record that has one. Metadata are merged by key. */
export function combineValues(
  resource: Resource,
  reader: Reader,
  { fields: given, prefer }: Pick<MergeRequest, 'fields' | 'prefer'>,
  survivor: Merging,
  ranked: readonly Merging[],
): Row {
  const values: Row = { ...given }
  for (const field of Object.values(resource.fields)) {
    const { name, kind, readonly } = field
    if (Object.hasOwn(given, name)) continue
    if (readonly) values[name] = survivor.row[name]!
    else if (kind === 'metadata') values[name] = combineMetadata(field, survivor, ranked)
    else {
      const isEmptyFlag = (each: Merging) => prefer === 'newest' && isUnsetFlag(reader, field, each)
      const holder = ranked.find((each) => !isEmptyFlag(each) && isThere(resource, reader, name, each.row))
      values[name] = (holder ?? survivor).row[name]!
    }
  }
  return values
}

/** Whether a flag has the value that it begins with, and never had another one (decision K6). */
function isUnsetFlag(reader: Reader, { name, kind, default: initial }: Field, { id, row }: Merging): boolean {
  return kind === 'flag' && row[name] === initial && !wasChanged(reader, id, name)
}

/** The number of changes of a record that are looked at, the newest. */
const changesMax = 1_000

/** Whether the log has a change of the field, after which it had another value. */
function wasChanged(reader: Reader, id: string, name: string): boolean {
  const sql = `SELECT 1 FROM (SELECT previous FROM change INDEXED BY change_record_id
    WHERE workspace_id = :workspace AND record_id = ? ORDER BY seq DESC LIMIT ${changesMax})
    WHERE json_type(previous, ?) IS NOT NULL LIMIT 1`
  return reader.value(sql, packUuid(id), `$.${name}`) !== undefined
}

/** A reference to a deleted record shows nothing. */
function isThere(resource: Resource, reader: Reader, name: string, row: Row): boolean {
  return row[name] !== null && missingReferences(resource, reader, { [name]: row[name] }).length === 0
}

function combineMetadata({ label, name, schema }: Field, survivor: Merging, ranked: readonly Merging[]): string {
  const given = ranked.map(({ row }) => new Map(Object.entries(JSON.parse(String(row[name])))))
  const own = Object.keys(JSON.parse(String(survivor.row[name])))
  const keys = new Set([...own, ...given.flatMap((each) => [...each.keys()])])
  const combined = [...keys].map((key) => {
    const holder = given.find((each) => (each.get(key) ?? '') !== '') ?? given.find((each) => each.has(key))
    return [key, holder!.get(key)]
  })
  const { issues, output } = v.safeParse(schema(label), Object.fromEntries(combined))
  if (issues) throw new ApiError('CONFLICT', `The records cannot be merged: ${issues[0].message}`)
  return String(output)
}

/** The items that the survivor gets in addition, by collection, and how many: those whose address or number it does not have. */
interface Combined {
  /** All items of the collections that change. */
  items: Record<string, Row[]>
  added: Record<string, number>
}

/** The primary item is that of the first record that has items. Throws CONFLICT if there are too many. */
export function combineItems(resource: Resource, tx: Writer, survivor: Merging, ranked: readonly Merging[]): Combined {
  const combined: Combined = { items: {}, added: {} }
  for (const [name, collection] of Object.entries(resource.collections)) {
    const before = itemsOf(collection, tx, survivor.id)
    const items = unionOf(collection, tx, survivor, ranked)
    if (items.length > itemsMax) {
      throw new ApiError('CONFLICT', `The merged record would have more than ${itemsMax} ${name}`)
    }
    combined.added[name] = items.length - before.length
    if (JSON.stringify(items) !== JSON.stringify(before)) combined.items[name] = items
  }
  return combined
}

function unionOf(collection: Collection, tx: Writer, survivor: Merging, ranked: readonly Merging[]): Row[] {
  const items = itemsOf(collection, tx, survivor.id)
  const byMark = new Map(items.flatMap((item) => itemMarks(collection, tx, item).map((mark) => [mark, item])))
  let primary: Row | undefined
  for (const { id } of ranked) {
    for (const given of id === survivor.id ? items : itemsOf(collection, tx, id)) {
      const marks = itemMarks(collection, tx, given)
      const item = marks.flatMap((mark) => byMark.get(mark) ?? [])[0] ?? { ...given, id: tx.newId() }
      for (const mark of marks) byMark.set(mark, item)
      if (!items.includes(item)) items.push(item)
      if (given.is_primary === 1) primary ??= item
    }
  }
  for (const item of items) item.is_primary = Number(item === primary)
  collection.complete?.(items)
  return items
}
