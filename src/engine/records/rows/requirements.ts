import { ApiError, type Detail, validationError } from '../../../errors.ts'
import type { Reader } from '../../../store/reader.ts'
import { declaredOf } from '../declared/declared.ts'
import { declaredNames, prefix } from '../declared/find.ts'
import type { Change, Items, Row } from '../definition/change.ts'
import { invalid, oneOf, quote } from '../definition/faults.ts'
import type { Resource } from '../definition/resource.ts'
import { entrantsOf } from '../entrants.ts'

// What a record must have to refer to another one (`entry`), which names it in a list.

/** A change of a record, and the items and links that it gets by it. */
type Entering = Pick<Change, 'id' | 'before' | 'after'> & { readonly items?: Items }

type Rows = ReadonlyMap<string, Row | null>

const nothingPlanned: Rows = new Map()

/**
 * Throws VALIDATION_ERROR if a record enters another one without a field that this one requires, or if a list of required fields names what
 * is no field. `planned`: what other records will be before that, by id.
 */
export function requireEntry(resource: Resource, reader: Reader, change: Entering, planned = nothingPlanned): void {
  if (!resource.entry && entrantsOf(resource).length === 0) return
  const unknown = unknownNames(resource, reader, change.before, change.after)
  if (unknown.length > 0) throw validationError(unknown)
  const missing = missingFields(resource, reader, change, planned)
  if (missing.length > 0) throw validationError(missing)
}

/** Throws CONFLICT if a record that is about to be restored requires a declared field that was deleted. */
export function requireDeclared(resource: Resource, reader: Reader, after: Row): void {
  const [unknown] = unknownNames(resource, reader, undefined, after)
  if (!unknown) return
  const message = `${resource.label} requires a field that is deleted: restore the field first`
  throw new ApiError('CONFLICT', message, { details: [{ ...unknown, message }] })
}

/** The title of an undeleted record that requires a field of the records that enter it; undefined: there is none. */
export function lookupRequiring(resource: Resource, reader: Reader, name: string, planned: Rows): string | undefined {
  if (!resource.entry) return undefined
  const { target, requires } = entered(resource)
  const [title] = target.title as [string]
  const sql = `SELECT ${title} FROM ${target.table} WHERE workspace_id = :workspace AND deleted_at IS NULL
    AND id NOT IN (SELECT value FROM json_each(?)) AND EXISTS (SELECT 1 FROM json_each(${requires}) WHERE value = ?) LIMIT 1`
  const later = [...planned.values()].find((row) => namesIn(row?.[requires]).includes(name))
  return later ? String(later[title]) : reader.value<string>(sql, JSON.stringify([...planned.keys()]), name)
}

function entered({ fields, entry }: Resource): { target: Resource; requires: string } {
  const { by, requires } = entry!
  return { target: fields[by]!.target!, requires }
}

function missingFields(
  resource: Resource,
  reader: Reader,
  { id, before, after, items = {} }: Entering,
  planned: Rows,
): Detail[] {
  const { entry } = resource
  if (!entry || before?.[entry.by] === after[entry.by]) return []
  const { target, requires } = entered(resource)
  const [title] = target.title as [string]
  const targetId = String(after[entry.by])
  const sql = `SELECT ${title}, ${requires} FROM ${target.table} WHERE workspace_id = :workspace AND id = ?`
  const row = planned.get(targetId) ?? reader.row<Row>(sql, targetId)
  const isMissing = (name: string) =>
    !(alsoOf(resource, name)?.has(reader, { id, after, items }, planned) ?? isGiven(after, name))
  const order = [...Object.keys(resource.fields), ...Object.keys(entry.also ?? {})]
  const placeOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return namesIn(row?.[requires])
    .filter(isMissing)
    .sort((a, b) => placeOf(a) - placeOf(b))
    .map((name) => ({
      field: name,
      message: `${labelOf(resource, name)} is required in the ${target.label.toLowerCase()} ${quote(String(row![title]))}`,
      code: 'REQUIRED',
    }))
}

function labelOf(resource: Resource, name: string): string {
  return alsoOf(resource, name)?.label ?? resource.fields[name]?.label.replace(/ id$/, '') ?? name
}

/** Something else than a field. The file of a company may name a member that every object has. */
function alsoOf({ entry }: Resource, name: string) {
  const { also = {} } = entry!
  return Object.hasOwn(also, name) ? also[name] : undefined
}

/** Null, blank text and an empty list are no values; 0 and false are. */
function isGiven(row: Row, name: string): boolean {
  const value = name.startsWith(prefix) ? valueIn(row, name.slice(prefix.length)) : row[name]
  if (typeof value === 'string') return value.trim() !== ''
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined
}

/** A field may have the name of a member that every object has, such as `constructor`. */
function valueIn({ metadata }: Row, key: string): unknown {
  const values = JSON.parse(String(metadata))
  return Object.hasOwn(values, key) ? values[key] : undefined
}

/** A detail for each name in a list of required fields, if the list has changed, that is none of the records that enter. */
function unknownNames(resource: Resource, reader: Reader, before: Row | undefined, after: Row): Detail[] {
  return entrantsOf(resource).flatMap((entrant) => {
    const { requires } = entrant.entry!
    if (before?.[requires] === after[requires]) return []
    const declared = declaredOf(entrant, reader)
    const own = requirableNames(entrant)
    const known = [...own, ...declared.map(({ key }) => prefix + key)]
    const allowed = [...own, ...declaredNames(entrant, declared)]
    return namesIn(after[requires])
      .filter((name) => !known.includes(name))
      .map((name) => invalid(requires, oneOf(`${requires} cannot name ${quote(name)}`, allowed)))
  })
}

/** What a list of required fields can name, besides declared fields: the filters that a body can set. */
function requirableNames({ filters, fields, entry }: Resource): string[] {
  const own = filters.filter((name) => name !== entry!.by && fields[name] && !fields[name].readonly)
  return [...own, ...Object.keys(entry!.also ?? {})]
}

function namesIn(list: unknown): string[] {
  return typeof list === 'string' ? JSON.parse(list) : []
}
