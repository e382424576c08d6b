import * as v from 'valibot'
import { ApiError, type Detail, type DetailCode, validationError } from '../../../errors.ts'
import { rawNumber } from '../../../lib/exact-json.ts'
import type { Reader } from '../../../store/reader.ts'
import { isClearable } from '../define.ts'
import type { Row } from '../definition/change.ts'
import { detailOf, rule } from '../definition/faults.ts'
import { perResource } from '../definition/per-resource.ts'
import type { Collection, Field, Resource } from '../definition/resource.ts'
import { inexactMembers } from '../kinds/exact-numbers.ts'
import { isPlainObject } from '../kinds/fields.ts'
import { settable } from './settable.ts'

/** A valid body: the stored values of a row, and the items of each collection; of records that come with links, those, too. */
export interface Input {
  values: Row
  items: Record<string, Row[]>
}

export type JsonObject = Record<string, unknown>

export const itemsMax = 100

interface BodySchemas {
  create: v.GenericSchema<unknown, Record<string, unknown>>
  patch: v.GenericSchema<unknown, Record<string, unknown>>
  /** The names of the fields that a patch may have. */
  patched: readonly string[]
  order: string[]
}

/**
 * Reads a new record. Absent and null fields get their default (decision B6). The fields of `later` are determined when it is written:
 * they may be missing. Throws VALIDATION_ERROR.
 */
export function readCreate(resource: Resource, reader: Reader, body: JsonObject, later: readonly string[] = []): Input {
  const parsed = parse(resource, { mode: 'create', later }, reader, body)
  const items = Object.entries(resource.collections).map(([name, { complete }]): [string, Row[]] => {
    const rows = parsed[name] as Row[]
    complete?.(rows)
    return [name, rows]
  })
  return { values: pick(resource, parsed), items: Object.fromEntries(items) }
}

/** Reads the fields that a patch names. Throws INVALID_REQUEST if it names none, VALIDATION_ERROR if one is invalid. */
export function readPatch(resource: Resource, reader: Reader, body: JsonObject): Row {
  requireSome(schemasOf(resource).patched, body)
  return pick(resource, parse(resource, { mode: 'patch' }, reader, body))
}

/** Reads a new item of a collection. Absent fields are null. Throws VALIDATION_ERROR. */
export function readItem({ fields }: Collection, body: JsonObject): Row {
  return parseItem(v.object(createEntries(fields)), body)
}

/** Reads the fields that a patch of an item names. Throws INVALID_REQUEST, VALIDATION_ERROR. */
export function readItemPatch({ fields }: Collection, body: JsonObject): Row {
  requireSome(Object.keys(fields), body)
  return parseItem(v.object(patchEntries(fields)), body)
}

/** A detail for each reference in `values`, unless `before` has it, to a record that does not exist in the workspace or is deleted (decision D2). */
export function missingReferences(
  resource: Resource,
  reader: Reader,
  values: Record<string, unknown>,
  before?: Row,
): Detail[] {
  return referencesOf(resource).flatMap(({ name, target, missing }) => {
    const id = values[name]
    if (typeof id !== 'string' || id === before?.[name] || exists(target!, reader, id)) return []
    return [{ field: name, message: missing!, code: 'NOT_FOUND' as const }]
  })
}

const referencesOf = perResource<readonly Field[]>(({ fields }) => Object.values(fields).filter(({ target }) => target))

/** Whether a new reference to the record is allowed. */
function exists(resource: Resource, reader: Reader, id: string): boolean {
  const referable = resource.referable ? ` AND ${resource.referable}` : ''
  const sql = `SELECT 1 FROM ${resource.table} WHERE workspace_id = :workspace AND id = ? AND deleted_at IS NULL${referable}`
  return reader.value(sql, id) !== undefined
}

function parse(
  resource: Resource,
  { mode, later = [] }: { mode: 'create' | 'patch'; later?: readonly string[] },
  reader: Reader,
  body: JsonObject,
): Record<string, unknown> {
  const schema = schemasOf(resource)
  const result = v.safeParse(schema[mode], withExact(resource, body), { abortPipeEarly: true })
  const parsed = result.output as Record<string, unknown>
  const isLater = ({ field, code }: Detail) => code === 'REQUIRED' && later.includes(field)
  const details = (result.issues ?? []).map(detailOf).filter((detail) => !isLater(detail))
  const invalid = new Set(details.map(({ field }) => field))
  const between = mode === 'create' ? (resource.check?.(parsed) ?? []) : []
  details.push(...[...between, ...itemFaults(resource, parsed)].filter(({ field }) => !invalid.has(field)))
  if (details.length === 0) return parsed
  details.push(...missingReferences(resource, reader, parsed).filter(({ field }) => !invalid.has(field)))
  throw validationError(details.sort((a, b) => rankOf(schema, a) - rankOf(schema, b)))
}

/** The body with the digits that the text has for exact fields. `parsed`: what `parseJson` made of it; default: the body. */
export function withExact({ fields }: Resource, body: JsonObject, parsed = body): JsonObject {
  const given = inexactMembers(parsed)
  if (!given) return body
  const exact = [...given].filter(([name]) => Object.hasOwn(fields, name) && fields[name]!.isExact)
  if (exact.length === 0) return body
  return { ...body, ...Object.fromEntries(exact.map(([name, source]) => [name, rawNumber(source)])) }
}

function parseItem(schema: v.GenericSchema<unknown, Record<string, unknown>>, body: JsonObject): Row {
  const result = v.safeParse(schema, body, { abortPipeEarly: true })
  if (result.success) return result.output as Row
  throw validationError(result.issues.map(detailOf))
}

/** Errors between the items of a collection. Some items may be invalid themselves. */
function itemFaults({ collections }: Resource, parsed: Record<string, unknown>): Detail[] {
  return Object.entries(collections).flatMap(([name, { check }]) => {
    const items = parsed[name]
    if (!check || !Array.isArray(items) || items.length > itemsMax) return []
    const faults = check(items.map((item) => (isPlainObject(item) ? (item as Row) : {})))
    return faults.map(({ index, field, message, code }) => ({ field: `${name}[${index}].${field}`, message, code }))
  })
}

function pick({ fields }: Resource, parsed: Record<string, unknown>): Row {
  const picked: Record<string, unknown> = {}
  for (const name in parsed) if (name in fields) picked[name] = parsed[name]
  return picked as Row
}

const schemasOf = perResource(({ fields, collections }): BodySchemas => {
  const items = Object.entries(collections).map(([name, each]) => [name, itemsSchema(name, each)])
  return {
    create: v.object({ ...createEntries(fields), ...Object.fromEntries(items) }),
    patch: v.object(patchEntries(fields)),
    patched: Object.keys(settable(fields, false)),
    order: [...Object.keys(fields), ...Object.keys(collections)],
  }
})

type Fields = Readonly<Record<string, Field>>

function createEntries(fields: Fields) {
  const created = Object.values(settable(fields, true))
  return Object.fromEntries(created.map((field) => [field.name, v.optional(createdSchema(field), null)]))
}

function patchEntries(fields: Fields) {
  const patched = Object.values(settable(fields, false))
  return Object.fromEntries(patched.map((field) => [field.name, v.optional(patchedSchema(field))]))
}

function requireSome(names: readonly string[], body: JsonObject): void {
  if (names.some((name) => Object.hasOwn(body, name))) return
  throw new ApiError('INVALID_REQUEST', 'No fields to update')
}

type ValueSchema = v.GenericSchema<unknown, unknown>

/** In a new record null means absent: an error for a required field, otherwise the default (decision B6). */
function createdSchema(field: Field): ValueSchema {
  if (field.required !== undefined) return requiredSchema(field, field.required)
  return orDefault(field, v.nullable(field.schema(field.label)))
}

/** In a patch null clears the field. It is an error if the field is never empty (decision B6). */
function patchedSchema(field: Field): ValueSchema {
  if (field.required !== undefined) return requiredSchema(field, field.required)
  const schema = field.schema(field.label)
  if (isClearable(field)) {
    return v.pipe(
      v.nullable(schema),
      v.transform((value) => value ?? field.cleared ?? null),
    )
  }
  return v.pipe(v.unknown(), present('INVALID_VALUE', `${field.label} must not be empty`), orDefault(field, schema))
}

function requiredSchema(field: Field, message: string): ValueSchema {
  const given = present('REQUIRED', message)
  return v.pipe(v.unknown(), given, field.schema(field.label), given)
}

function present(code: DetailCode, message: string) {
  return rule(code, (value: unknown) => value !== null, message)
}

/** Replaces null by the default: empty text has become null before. */
function orDefault({ default: fallback = null }: Field, schema: ValueSchema): ValueSchema {
  return v.pipe(
    schema,
    v.transform((value) => value ?? fallback),
  )
}

function itemsSchema(name: string, { fields }: Collection): v.GenericSchema<unknown, unknown> {
  const isObject = rule('INVALID_TYPE', isPlainObject, `Each item of ${name} must be an object`)
  return v.pipe(
    v.optional(v.nullable(v.array(v.unknown(), `${name} must be an array`), []), []),
    v.transform((items) => items ?? []),
    rule('TOO_LONG', (items) => items.length <= itemsMax, `${name} must have at most ${itemsMax} items`),
    v.array(v.pipe(v.unknown(), isObject, v.object(createEntries(fields)))),
  )
}

/** The order of details: by field, then by item. */
function rankOf({ order }: BodySchemas, { field }: Detail): number {
  const [, name, index = '0'] = /^(\w+)(?:\[(\d+)\])?/.exec(field)!
  return order.indexOf(name!) + Number(index) / 1000
}
