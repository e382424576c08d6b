import { ApiError, type Detail, validationError } from '../../../errors.ts'
import type { Reader, Writer } from '../../../store/reader.ts'
import { invalid, oneOf } from '../../records/definition/faults.ts'
import type { Relation, Resource } from '../../records/definition/resource.ts'
import { heldBy } from '../../records/holders.ts'
import { isPlainObject } from '../../records/kinds/fields.ts'
import { type Input, type JsonObject, readCreate } from '../../records/rows/validate.ts'
import { insert, type Limits } from '../../records/rows/write.ts'
import { matchingOn, severalText } from './matching.ts'
import type { Later } from './upsert.ts'

/** What the writer of records may do. */
export interface NamingRights {
  limits: Limits
  /** Whether it has a scope. */
  may(scope: string): boolean
  /** Called with the relation's name for each record that is created. */
  onCreate?(name: string): void
}

/** The records that a body names instead of giving their ids (decision K3). Throws VALIDATION_ERROR. */
export function readNamed(resource: Resource, reader: Reader, body: JsonObject): NamedRecord[] {
  return givenIn(resource, body).map((each) => readOne(each, reader, body))
}

/** Each is found, or created once, when the body is written. */
export function laterOf(named: readonly NamedRecord[], rights: NamingRights): Later {
  return Object.fromEntries(named.map((each) => [each.field, (tx: Writer) => findOrCreate(each, tx, rights)]))
}

/** What a named record is compared by. Those without a common key are different. */
export function keysOfNamed({ name, target, by, input }: NamedRecord, reader: Reader): string[] {
  return by.flatMap((each) =>
    matchingOn(target, [], each)!
      .keysOf(reader, input)
      .map((key) => `${name} ${each} ${key}`),
  )
}

/** The references whose records a body names. */
export function namedIn(resource: Resource, body: JsonObject): string[] {
  return givenIn(resource, body).map(([, { by }]) => by)
}

function givenIn({ relations }: Resource, body: JsonObject): [string, Relation][] {
  return Object.entries(relations).filter(([name, { named }]) => named && (body[name] ?? null) !== null)
}

/** Throws VALIDATION_ERROR, with every fault of the name. */
function readOne([name, { target, by: field }]: [string, Relation], reader: Reader, body: JsonObject): NamedRecord {
  const value = body[name]
  if ((body[field] ?? null) !== null) {
    throw validationError([invalid(name, `${name} and ${field} cannot be given together`)])
  }
  if (!isName(value, target)) {
    const message = `${name} must be an object that names the ${lower(target)}`
    throw validationError([invalid(name, oneOf(message, target.matchedBy), 'INVALID_TYPE')])
  }
  try {
    const input = readCreate(target, reader, { [target.title[0]!]: Object.values(value)[0], ...value })
    return { name, field, target, by: target.matchedBy.filter((each) => each in value), input }
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details) throw error
    throw validationError(error.details.map((detail) => ({ ...detail, field: `${name}.${detail.field}` })))
  }
}

function isName(value: unknown, { matchedBy }: Resource): value is Record<string, string> {
  if (!isPlainObject(value)) return false
  const members = Object.entries(value)
  return members.length > 0 && members.every(([name, text]) => matchedBy.includes(name) && typeof text === 'string')
}

export interface NamedRecord {
  /** The name of the relation. */
  name: string
  /** The field that refers to it. */
  field: string
  target: Resource
  /** What names it. */
  by: readonly string[]
  input: Input
}

/** The id of the record: the only one that matches, or a new one. Throws CONFLICT, INSUFFICIENT_PERMISSIONS, PLAN_LIMIT_EXCEEDED. */
export function findOrCreate({ name, target, by, input }: NamedRecord, tx: Writer, rights: NamingRights): string {
  for (const field of by) {
    const ids = matchingOn(target, [], field)!.idsOf(tx, input) ?? []
    if (ids.length > 1) {
      throw heldBy(fault(name, 'CONFLICT', severalText(target, field)), { scope: target.scopes.read, ids })
    }
    if (ids.length === 1) return ids[0]!
  }
  const { write } = target.scopes
  if (!rights.may(write)) {
    const message = `The ${lower(target)} does not exist, and creating it requires the scope ${write}`
    throw fault(name, 'INSUFFICIENT_PERMISSIONS', message)
  }
  const { id } = insert(target, tx, input, rights.limits)
  rights.onCreate?.(name)
  return id
}

function fault(field: string, code: 'CONFLICT' | 'INSUFFICIENT_PERMISSIONS', message: string): ApiError {
  const detail: Detail = { field, message, code: 'INVALID_VALUE' }
  return new ApiError(code, message, { details: [detail] })
}

function lower({ label }: Resource): string {
  return label.toLowerCase()
}
