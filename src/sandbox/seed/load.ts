import * as v from 'valibot'
import { findWorkspaceId } from '../../access/company.ts'
import { deactivateUser, insertUser, type User } from '../../access/user.ts'
import { file } from '../../crm/file.ts'
import { pipeline } from '../../crm/pipeline.ts'
import { stage } from '../../crm/stage.ts'
import type { Row } from '../../engine/records/definition/change.ts'
import { invalid, requireKnown } from '../../engine/records/definition/faults.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { isPlainObject } from '../../engine/records/kinds/fields.ts'
import { noteRow, purgeRow } from '../../engine/records/rows/rows.ts'
import { type JsonObject, readCreate } from '../../engine/records/rows/validate.ts'
import { insert } from '../../engine/records/rows/write.ts'
import { ApiError, type Detail, OperatorError, validationError } from '../../errors.ts'
import { givenLinks } from '../../features/imports/import-links.ts'
import { mailAddress } from '../../features/mail/mail-address.ts'
import { requireDeliverable } from '../../features/webhooks/routes.ts'
import { webhook } from '../../features/webhooks/webhook.ts'
import { isRawNumber } from '../../lib/exact-json.ts'
import { codeOf } from '../../store/constraint.ts'
import type { Writer } from '../../store/reader.ts'
import type { ClockState } from '../clock.ts'
import type { Instance } from '../instance.ts'
import { readClock } from '../read-clock.ts'
import { readMembers } from '../read-members.ts'
import { storeContent } from './file-content.ts'
import { requireOnly } from './mail.ts'
import { seeded } from './resources.ts'
import { readAddress, readId, readOrigin, readSet, readTimes } from './values.ts'

/** How many faults of a file are printed. */
const faultsMax = 50

/** Where the records of a seed file go. */
interface SeedTarget {
  instance: Pick<Instance, 'store' | 'clock' | 'refusal' | 'contents'>
  companyId: string
  workspaceId: number
  /** Its clock stays as it is, whatever the file says. */
  keepsClock: boolean
}

/** Sets the clock and creates the records of a seed file (decision I1), all or none. Throws OperatorError with a line for each fault. */
export async function loadSeed(
  { instance: { store, clock, refusal, contents }, companyId, workspaceId, keepsClock }: SeedTarget,
  seed: JsonObject,
): Promise<void> {
  const faults: string[] = []
  const collect = (place: string, run: () => void) => {
    try {
      run()
    } catch (error) {
      const known = faultOf(error)
      if (!(known instanceof ApiError)) throw error
      for (const { field, message } of known.details ?? [{ field: '', message: known.message }]) {
        faults.push(`${[place, field].filter(Boolean).join('.')}: ${message}`)
      }
    }
  }
  collect('clock', () => {
    const given = readSeedClock(seed, clock.state)
    if (!keepsClock) clock.set(given)
  })
  await store.writeAccess((access) => {
    const live = findWorkspaceId(access, companyId, 'live')
    const kept: Kept[] = []
    const users = listOf(seed, 'users', collect)
    const inactive: { id: string; at: string | undefined }[] = []
    for (const [n, body] of users.entries()) {
      collect(`users[${n}]`, () => {
        const { id, updated_at: at } = access.attempt(() => seedUser(access, companyId, body))
        if (body.is_active === false) inactive.push({ id, at })
      })
    }
    for (const [name, resource] of Object.entries(seeded)) {
      const tx = access.inWorkspace(resource.ofCompany ? live : workspaceId)
      const bodies = listOf(seed, name, collect)
      if (bodies.length > 0 && resource === pipeline) removeAll(tx, [stage, pipeline])
      if (bodies.length > 0 && resource === stage) removeAll(tx, [stage])
      for (const [n, body] of bodies.entries()) {
        collect(`${name}[${n}]`, () =>
          kept.push(tx.attempt(() => seedRecord(resource, tx, body, { refusal, contents, workspaceId }))),
        )
      }
    }
    for (const { tx, resource, id, times } of kept) if (times.updated_at) noteRow(resource, tx, id, times)
    for (const { id, at } of inactive) deactivateUser(access, id, at)
    collect('messages', () => refuseMessages(seed))
    collect('', () => requireKnownLists(seed))
    if (faults.length > 0) throw new OperatorError(reportOf(faults))
  })
}

/** An error as a fault of the file, if it is one: a record with the same id exists, or a field that the service sets is empty or leads to none. */
function faultOf(error: unknown): unknown {
  const code = codeOf(error)
  if (['SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT_UNIQUE'].includes(code))
    return new ApiError('ALREADY_EXISTS', 'an id is used twice')
  if (code === 'SQLITE_CONSTRAINT_NOTNULL') {
    const field = (error as Error).message.split('.').at(-1)!
    return validationError([invalid(field, `${field} must not be null`)])
  }
  if (code !== 'SQLITE_CONSTRAINT_FOREIGNKEY') return error
  return new ApiError('VALIDATION_ERROR', 'an id is not that of a record in the file')
}

function reportOf(faults: readonly string[]): string {
  const more = faults.length > faultsMax ? [`and ${faults.length - faultsMax} more`] : []
  return ['The seed file has faults:', ...faults.slice(0, faultsMax), ...more].join('\n  ')
}

function requireKnownLists({ messages, ...seed }: JsonObject): void {
  const details: Detail[] = []
  requireKnown(seed, ['clock', 'users', ...Object.keys(seeded)], details)
  if (details.length > 0) throw validationError(details)
}

/** Exports of earlier versions have an empty list. */
function refuseMessages({ messages = [] }: JsonObject): void {
  if (Array.isArray(messages) && messages.length === 0) return
  const message = 'only a delivery creates messages: POST each mail to /api-v1-messages?address=… with the key'
  throw new ApiError('VALIDATION_ERROR', message)
}

function readSeedClock({ clock = {} }: JsonObject, before: ClockState): ClockState {
  if (isPlainObject(clock)) return readClock(clock, before)
  throw new ApiError('VALIDATION_ERROR', 'must be an object with now and mode')
}

function listOf(seed: JsonObject, name: string, collect: (place: string, run: () => void) => void): JsonObject[] {
  const list = seed[name] ?? []
  if (Array.isArray(list) && list.every(isPlainObject)) return list as JsonObject[]
  collect(name, () => {
    throw new ApiError('VALIDATION_ERROR', 'must be a list of objects')
  })
  return []
}

const roles = ['owner', 'admin', 'member'] as const
const userMembers = {
  full_name: v.string('Full name is required'),
  email: v.string('Email is required'),
  role: v.optional(v.picklist(roles, `Role must be one of: ${roles.join(', ')}`), 'member'),
  is_active: v.optional(v.boolean('is_active must be true or false')),
}

function seedUser(access: Writer, companyId: string, body: JsonObject): User {
  const { id, created_at: _, updated_at: __, ...given } = body
  const { full_name, email, role } = readMembers(given, userMembers)
  return insertUser(access, { companyId, id: readId(id), fullName: full_name, email, role, times: readTimes(body) })
}

/** The file's pipelines and stages replace those of a new company. */
function removeAll(tx: Writer, resources: readonly Resource[]): void {
  for (const resource of resources) {
    const sql = `SELECT id FROM ${resource.table} WHERE workspace_id = :workspace AND deleted_at IS NULL`
    for (const id of tx.values<string>(sql)) purgeRow(resource, tx, id)
    tx.run('UPDATE record_count SET records = 0 WHERE workspace_id = :workspace AND resource = ?', resource.name)
    // A record of the file can have the id of one that was removed, which the search index need not learn of any more.
    tx.run('DELETE FROM search_pending WHERE workspace_id = :workspace AND resource = ?', resource.name)
  }
}

/** A record, and the times that it keeps, whatever a later record of the file does with it. */
interface Kept {
  tx: Writer
  resource: Resource
  id: string
  times: Row
}

/** The fields that the service sets have the values of the file, if it has any. */
function seedRecord(
  resource: Resource,
  tx: Writer,
  body: JsonObject,
  { refusal: refusalOf, contents, workspaceId }: Pick<Instance, 'refusal' | 'contents'> & { workspaceId: number },
): Kept {
  const details: Detail[] = []
  const read = <T>(part: () => T) => readPart(part, details)
  const input = read(() => readCreate(resource, tx, withDoubles(resource, body)))
  const id = read(() => readId(body.id))
  const set = read(() => readSet(resource, body))
  const times = read(() => readTimes(body))
  const stored = read(() => {
    if (resource === file) return storeContent(contents, workspaceId, body)
    return resource === mailAddress ? readAddress(body) : {}
  })
  for (const [name, items] of Object.entries(input?.items ?? {})) {
    const given = body[name] as JsonObject[]
    for (const [n, item] of items.entries()) item.id = read(() => readId(given[n]?.id, `${name}[${n}].id`)) ?? null
  }
  if (!input || details.length > 0) throw validationError(details)
  if (resource === webhook) requireDeliverable({ refusalOf }, input.values.url)
  const values = { ...stored, ...set, ...readOrigin(body, input.values), ...times }
  requireOnly(resource, tx, { ...input.values, ...values })
  const links = givenLinks(resource, body).map(({ name, link, links }) => {
    return [name, links.map((each) => ({ [link.text]: null, ...each }))] as const
  })
  const items = { ...input.items, ...Object.fromEntries(links) }
  const inserted = insert(resource, tx, { ...input, items }, {}, { id, values })
  return { tx, resource, id: inserted.id, times: times ?? {} }
}

/** Undefined if the part has faults, which are added to `details`. */
function readPart<T>(read: () => T, details: Detail[]): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ApiError && error.details)) throw error
    details.push(...error.details)
    return undefined
  }
}

/** A record whose fields have no more digits than they keep. */
function withDoubles({ fields }: Resource, body: JsonObject): JsonObject {
  const entries = Object.entries(body).map(([name, value]) => {
    const isRead = isRawNumber(value) && Object.hasOwn(fields, name) && !fields[name]!.isExact
    return [name, isRead ? Number(value.rawJSON) : value]
  })
  return Object.fromEntries(entries)
}
