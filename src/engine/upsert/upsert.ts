import { ApiError, type Detail, validationError } from '../../errors.ts'
import type { Reader, Writer } from '../../store/reader.ts'
import type { Row } from '../definition/change.ts'
import { isClearable, pluralOf } from '../definition/define.ts'
import type { Collection, Resource } from '../definition/resource.ts'
import { lookupText } from '../select.ts'
import { lookupRow } from '../write/rows.ts'
import { type Input, itemsMax, type JsonObject } from '../write/validate.ts'
import { insert, type Limits, update } from '../write/write.ts'
import type { Matching } from './matching.ts'

export const modes = ['merge', 'fill_empty', 'create_only', 'update_only'] as const
export type Mode = (typeof modes)[number]

export interface Given {
  body: JsonObject
  /** The body as it was validated. */
  input: Input
  matching: Matching
  mode: Mode
}

export interface Upserted {
  id: string
  outcome: 'created' | 'updated' | 'unchanged'
}

interface Caller {
  limits: Limits
  /** Whether messages may have the ids of records. */
  mayRead: boolean
}

/**
 * Creates the record of a body, or updates the one that matches it (decision K2). Throws CONFLICT (several match), ALREADY_EXISTS and NOT_FOUND
 * (by the mode), and what a create and an update throw.
 */
export function upsert(resource: Resource, tx: Writer, given: Given, { limits, mayRead }: Caller): Upserted {
  const { input, matching, mode } = given
  const ids = matching.idsOf(tx, input) ?? []
  const [id] = ids
  if (ids.length > 1) throw ambiguous(resource, matching, mayRead ? ids : [])
  if (id === undefined) {
    if (mode === 'update_only') throw new ApiError('NOT_FOUND', `No ${lower(resource)} has this ${matching.name}`)
    return { id: insert(resource, tx, input, limits).id, outcome: 'created' }
  }
  if (mode === 'create_only') throw taken(resource, matching, mayRead ? `: ${id}` : '')
  const before = lookupText(resource, tx, id)
  const row = lookupRow(resource, tx, id)!
  update(resource, tx, id, changesOf(resource, given, row), undefined, addedItems(resource, tx, id, input))
  return { id, outcome: lookupText(resource, tx, id) === before ? 'unchanged' : 'updated' }
}

/** The fields that the body has, except null for a field that is never empty. With `fill_empty`, only those that are empty. */
function changesOf(resource: Resource, { body, input, mode }: Given, row: Row): Row {
  const changes: Row = {}
  for (const field of Object.values(resource.fields)) {
    const { name, kind, readonly, fixed, cleared = null } = field
    const sent = body[name]
    if (sent === undefined || readonly || fixed) continue
    if (kind === 'metadata') changes[name] = mergeMetadata(row[name]!, input.values[name]!, mode)
    else if (mode === 'fill_empty' ? row[name] !== null : sent === null && !isClearable(field)) continue
    else changes[name] = sent === null ? cleared : input.values[name]!
  }
  return changes
}

/** Metadata is merged by key. */
function mergeMetadata(before: unknown, given: unknown, mode: Mode): string {
  const [own, sent] = [before, given].map((text) => Object.entries(JSON.parse(String(text))))
  const kept = mode === 'fill_empty' ? own!.filter(([, value]) => value !== null && value !== '') : []
  return JSON.stringify({ ...Object.fromEntries(own!), ...Object.fromEntries(sent!), ...Object.fromEntries(kept) })
}

/** The items of each collection to which the body adds some. */
function addedItems(resource: Resource, tx: Writer, id: string, input: Input): Record<string, Row[]> {
  const added: Record<string, Row[]> = {}
  for (const [name, collection] of Object.entries(resource.collections)) {
    const before = itemsOf(collection, tx, id)
    const known = new Set(before.map((item) => keyOf(collection, item)))
    const fresh = input.items[name]!.filter((item) => !known.has(keyOf(collection, item)))
    if (fresh.length === 0) continue
    const others = before.length > 0 ? fresh.map((item) => ({ ...item, is_primary: 0 })) : fresh
    const items = [...before, ...others.map((item) => ({ ...item, id: tx.newId() }))]
    if (items.length > itemsMax) throw tooMany(name)
    collection.complete(items)
    added[name] = items
  }
  return added
}

/** What two items have in common if they are the same address or number. */
function keyOf({ fields }: Collection, item: Row): string {
  const [field] = Object.values(fields)
  return String(field!.key!.of(String(item[field!.name])))
}

function itemsOf({ table, owner, fields }: Collection, reader: Reader, ownerId: string): Row[] {
  const columns = ['id', ...Object.keys(fields)].join(', ')
  const sql = `SELECT ${columns} FROM ${table} WHERE workspace_id = :workspace AND ${owner} = ? ORDER BY id`
  return reader.rows<Row>(sql, ownerId)
}

function tooMany(name: string): ApiError {
  const message = `${name} must have at most ${itemsMax} items`
  return validationError([{ field: name, message, code: 'TOO_LONG' }])
}

function ambiguous(resource: Resource, { name }: Matching, ids: readonly string[]): ApiError {
  const message = `Several ${pluralOf(resource)} have this ${name}${ids.length > 0 ? `: ${ids.join(', ')}` : ''}`
  return new ApiError('CONFLICT', message, { details: [detailOf(name, message)] })
}

function taken(resource: Resource, { name }: Matching, which: string): ApiError {
  const message = `${resource.label} with this ${name} already exists${which}`
  return new ApiError('ALREADY_EXISTS', message, { details: [detailOf(name, message)] })
}

function detailOf(field: string, message: string): Detail {
  return { field, message, code: 'INVALID_VALUE' }
}

function lower({ label }: Resource): string {
  return label.toLowerCase()
}
