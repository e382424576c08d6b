import * as v from 'valibot'
import { deactivateUser, insertUser } from '../../access/user.ts'
import { stage } from '../../crm/stage.ts'
import type { Row } from '../../engine/definition/change.ts'
import { invalid, oneOf, quote } from '../../engine/definition/faults.ts'
import { isPlainObject } from '../../engine/definition/fields.ts'
import type { Resource } from '../../engine/definition/resource.ts'
import { purgeRow } from '../../engine/write/rows.ts'
import { type JsonObject, readCreate } from '../../engine/write/validate.ts'
import { insert } from '../../engine/write/write.ts'
import { ApiError, type Detail, OperatorError, validationError } from '../../errors.ts'
import { timestamp } from '../../lib/clock.ts'
import { parseSpan } from '../../lib/moment.ts'
import { parseUuid } from '../../lib/uuid.ts'
import type { Writer } from '../../store/reader.ts'
import type { Store } from '../../store/store.ts'
import { seeded } from './resources.ts'

/** How many faults of a file are printed. */
const faultsMax = 50

/** Creates the records of a seed file (decision I1), all or none. Throws OperatorError with a line for each fault. */
export async function loadSeed(
  store: Store,
  { companyId, workspaceId }: { companyId: string; workspaceId: number },
  seed: JsonObject,
): Promise<void> {
  const faults: string[] = []
  const collect = (place: string, run: () => void) => {
    try {
      run()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      for (const { field, message } of error.details ?? [{ field: '', message: error.message }]) {
        faults.push(`${place}${field && `.${field}`}: ${message}`)
      }
    }
  }
  await store.writeAccess((access) => {
    const tx = access.inWorkspace(workspaceId)
    const users = listOf(seed, 'users', collect)
    for (const [n, body] of users.entries()) collect(`users[${n}]`, () => seedUser(access, companyId, body))
    for (const [name, resource] of Object.entries(seeded)) {
      const bodies = listOf(seed, name, collect)
      if (resource === stage && bodies.length > 0) removeStages(tx)
      for (const [n, body] of bodies.entries()) {
        collect(`${name}[${n}]`, () => tx.attempt(() => seedRecord(resource, tx, body)))
      }
    }
    for (const { id, is_active } of users) if (is_active === false && id) deactivateUser(access, String(id))
    collect('the file', () => requireKnownLists(seed))
    if (faults.length > 0) throw new OperatorError(reportOf(faults))
  })
}

function reportOf(faults: readonly string[]): string {
  const more = faults.length > faultsMax ? [`and ${faults.length - faultsMax} more`] : []
  return ['The seed file has faults:', ...faults.slice(0, faultsMax), ...more].join('\n  ')
}

function requireKnownLists(seed: JsonObject): void {
  const known = ['clock', 'users', ...Object.keys(seeded)]
  const unknown = Object.keys(seed).filter((name) => !known.includes(name))
  const details = unknown.map((name) => invalid(name, oneOf(`${quote(name)} is unknown`, known)))
  if (details.length > 0) throw validationError(details)
}

function listOf(seed: JsonObject, name: string, collect: (place: string, run: () => void) => void): JsonObject[] {
  const list = seed[name] ?? []
  if (Array.isArray(list) && list.every(isPlainObject)) return list as JsonObject[]
  collect(name, () => {
    throw new ApiError('VALIDATION_ERROR', 'must be a list of objects')
  })
  return []
}

function seedUser(access: Writer, companyId: string, { id, full_name, email, role = 'member' }: JsonObject): void {
  const roles = ['owner', 'admin', 'member'] as const
  const known = roles.find((each) => each === role)
  if (!known) throw validationError([invalid('role', oneOf(`Role cannot be ${quote(String(role))}`, roles))])
  insertUser(access, {
    companyId,
    id: readId(id),
    fullName: String(full_name ?? ''),
    email: String(email ?? ''),
    role: known,
  })
}

/** The file's stages replace those of a new company. */
function removeStages(tx: Writer): void {
  const sql = 'SELECT id FROM stage WHERE workspace_id = :workspace AND deleted_at IS NULL'
  for (const id of tx.values<string>(sql)) purgeRow(stage, tx, id)
}

/** The fields that the service sets have the values of the file, if it has any. */
function seedRecord(resource: Resource, tx: Writer, body: JsonObject): void {
  const input = readCreate(resource, tx, body)
  for (const [name, items] of Object.entries(input.items)) {
    const given = body[name] as JsonObject[]
    for (const [n, item] of items.entries()) item.id = readId(given[n]?.id) ?? null
  }
  const values = { ...readSet(resource, body), ...readOrigin(body, input.values), ...readTimes(body) }
  insert(resource, tx, input, {}, { id: readId(body.id), values })
}

/** In the metadata, the service sets `created_via`. */
function readOrigin({ metadata }: JsonObject, values: Row): Row {
  return isPlainObject(metadata) && 'created_via' in metadata ? { metadata: values.metadata! } : {}
}

function readId(id: unknown): string | undefined {
  if (id === undefined || id === null) return undefined
  const parsed = typeof id === 'string' ? parseUuid(id) : undefined
  if (parsed === undefined) throw validationError([invalid('id', 'id must be a UUID', 'INVALID_FORMAT')])
  return parsed
}

function readSet({ fields }: Resource, body: JsonObject): Row {
  const details: Detail[] = []
  const set = Object.values(fields).filter(({ name, readonly, unlogged, chosen }) => {
    return readonly && !unlogged && !chosen && body[name] !== undefined
  })
  const values = set.map(({ name, label, schema }) => {
    const result = v.safeParse(v.nullable(schema(label)), body[name])
    if (!result.success) details.push(invalid(name, result.issues[0].message))
    return [name, result.output] as const
  })
  if (details.length > 0) throw validationError(details)
  return Object.fromEntries(values) as Row
}

function readTimes(body: JsonObject): Row {
  const names = ['created_at', 'updated_at'].filter((name) => body[name] !== undefined)
  return Object.fromEntries(
    names.map((name) => {
      const moment = parseSpan(String(body[name]))
      if (!moment) throw validationError([invalid(name, `${name} must be a timestamp`, 'INVALID_FORMAT')])
      return [name, timestamp(moment.start)]
    }),
  )
}
