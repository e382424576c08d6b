import * as v from 'valibot'
import { ApiError, validationError } from '../../../errors.ts'
import type { Reader, SqlValue, Writer } from '../../../store/reader.ts'
import { isClearable } from '../../records/define.ts'
import type { Row } from '../../records/definition/change.ts'
import { detailOf, invalid } from '../../records/definition/faults.ts'
import type { Collection, Field, Resource } from '../../records/definition/resource.ts'
import { heldBy } from '../../records/holders.ts'
import { itemsOf, keysOfValue } from '../../records/rows/items.ts'
import { lookupRow } from '../../records/rows/stored-row.ts'
import { type Input, itemsMax, type JsonObject } from '../../records/rows/validate.ts'
import { insert, type Limits, update } from '../../records/rows/write.ts'
import { type Matching, severalText, wordsOf } from './matching.ts'

export const modes = ['merge', 'fill_empty', 'create_only', 'update_only'] as const
export type Mode = (typeof modes)[number]

/** What the modes mean, for the documentation. */
export const modeText =
  '`merge`: the given fields replace those of the record. `fill_empty`: they only fill empty ones. `create_only`: a record that matches is an error. `update_only`: that none matches is an error.'

interface Given {
  body: JsonObject
  /** The body as it was validated. */
  input: Input
  matching: Matching
  mode: Mode
  /** Values that are determined when they are written. */
  later?: Later | undefined
  /** The links that change, of a new record (undefined) or of one that exists. */
  links?: ((tx: Writer, id: string | undefined) => Readonly<Record<string, Row[]>>) | undefined
}

/** Determines the values of fields, by name. */
export type Later = Readonly<Record<string, (tx: Writer) => SqlValue>>

interface Upserted {
  id: string
  outcome: 'created' | 'updated' | 'unchanged'
}

interface Caller {
  limits: Limits
  /** Throws if the write is not allowed to the record that matches; undefined: none does. */
  allow?: (id: string | undefined) => void
}

/**
 * Creates the record of a body, or updates the one that matches it (decision K2). Throws CONFLICT (several match), ALREADY_EXISTS and NOT_FOUND
 * (by the mode), and what a create and an update throw.
 */
export function upsert(resource: Resource, tx: Writer, given: Given, caller: Caller): Upserted {
  const { input, matching, mode } = given
  const { limits, allow } = caller
  matching.requireType?.(tx, input)
  const ids = matching.idsOf(tx, input) ?? []
  const [id] = ids
  if (ids.length > 1) throw heldBy(ambiguous(resource, matching), { scope: resource.scopes.read, ids })
  if (id === undefined) {
    if (mode === 'update_only')
      throw new ApiError('NOT_FOUND', `No ${lower(resource)} has this ${wordsOf(resource, matching.name)}`)
    allow?.(undefined)
    return { id: insert(resource, tx, completed(tx, given), limits).id, outcome: 'created' }
  }
  if (mode === 'create_only') throw heldBy(taken(resource, matching), { scope: resource.scopes.read, ids: [id] })
  const row = lookupRow(resource, tx, id)!
  const changes = changesOf(resource, tx, given, row)
  const items = { ...addedItems(resource, tx, id, input), ...given.links?.(tx, id) }
  const isChanged = update(resource, tx, id, changes, () => allow?.(id), items)
  return { id, outcome: isChanged ? 'updated' : 'unchanged' }
}

/** The input of a new record with what is determined now. */
export function completed(tx: Writer, { input, later = {}, links }: Pick<Given, 'input' | 'later' | 'links'>): Input {
  const determined = Object.entries(later).map(([name, determine]) => [name, determine(tx)])
  return {
    values: { ...input.values, ...Object.fromEntries(determined) },
    items: { ...input.items, ...links?.(tx, undefined) },
  }
}

/**
 * The fields to which the body gives another value, except null for a field that is never empty. With `fill_empty`, only those that are empty.
 * An equal value is no change: a task that is completed is not completed again.
 */
function changesOf(resource: Resource, tx: Writer, { body, input, mode, later = {} }: Given, row: Row): Row {
  const isKept = (name: string) => mode === 'fill_empty' && row[name] !== null
  const changes: Row = {}
  for (const field of Object.values(resource.fields)) {
    const { name, kind, readonly, fixed, cleared = null } = field
    const sent = body[name]
    if (sent === undefined || readonly || fixed) continue
    if (kind === 'metadata') changes[name] = mergeMetadata(field, row, input, mode)
    else if (isKept(name) || (sent === null && !isClearable(field))) continue
    else {
      const value = sent === null ? cleared : input.values[name]!
      if (value !== row[name]) changes[name] = value
    }
  }
  for (const [name, determine] of Object.entries(later)) if (!isKept(name)) changes[name] = determine(tx)
  return changes
}

/** Metadata are merged by key. Throws VALIDATION_ERROR if they become too large. */
function mergeMetadata({ name, label, schema }: Field, row: Row, { values }: Input, mode: Mode): SqlValue {
  const [own, sent] = [row, values].map((each) => Object.entries(JSON.parse(String(each[name]))))
  const kept = mode === 'fill_empty' ? own!.filter(([, value]) => value !== null && value !== '') : []
  const merged = Object.fromEntries([...own!, ...sent!, ...kept])
  const { issues, output } = v.safeParse(schema(label), merged, { abortPipeEarly: true })
  if (issues) throw validationError(issues.map((issue) => ({ ...detailOf(issue), field: name })))
  return output as SqlValue
}

/** The items of each collection to which the body adds some. */
function addedItems(resource: Resource, tx: Writer, id: string, input: Input): Record<string, Row[]> {
  const added: Record<string, Row[]> = {}
  for (const [name, collection] of Object.entries(resource.collections)) {
    const fresh = input.items[name]!.filter((item) => !hasItem(collection, tx, id, item))
    if (fresh.length === 0) continue
    const items = [...itemsOf(collection, tx, id), ...fresh.map((item) => ({ ...item, id: tx.newId() }))]
    if (items.length > itemsMax) throw tooMany(name)
    collection.complete?.(items) // the primary one stays: it is before the new ones
    added[name] = items
  }
  return added
}

/** Whether a record has the address or number of an item. */
function hasItem({ table, owner, fields }: Collection, reader: Reader, ownerId: string, item: Row): boolean {
  const [field] = Object.values(fields)
  const keys = JSON.stringify(keysOfValue(field!, reader, item[field!.name]))
  const sql = `SELECT 1 FROM ${table}
    WHERE workspace_id = :workspace AND ${field!.keyColumn} IN (SELECT value FROM json_each(?)) AND ${owner} = ?`
  return reader.value(sql, keys, ownerId) !== undefined
}

function tooMany(name: string): ApiError {
  const message = `${name} must have at most ${itemsMax} items`
  return validationError([{ field: name, message, code: 'TOO_LONG' }])
}

function ambiguous(resource: Resource, { name }: Matching): ApiError {
  const message = severalText(resource, name)
  return new ApiError('CONFLICT', message, { details: [invalid(name, message)] })
}

function taken(resource: Resource, { name }: Matching): ApiError {
  const message = `${resource.label} with this ${wordsOf(resource, name)} already exists`
  return new ApiError('ALREADY_EXISTS', message, { details: [invalid(name, message)] })
}

function lower({ label }: Resource): string {
  return label.toLowerCase()
}
