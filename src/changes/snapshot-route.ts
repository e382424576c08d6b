import { grants } from '../access/scopes.ts'
import { invalid, oneOf, quote } from '../engine/definition/faults.ts'
import type { Resource } from '../engine/definition/resource.ts'
import type { ApiResponse } from '../engine/http-response.ts'
import { readParameters } from '../engine/list/query.ts'
import type { Call, OpenSnapshot, Route } from '../engine/route.ts'
import { ApiError, type Detail, validationError } from '../errors.ts'
import { unavailable } from '../store/constraint.ts'
import { describeSnapshot, snapshotType } from './describe-snapshot.ts'
import { logIdOf, writePosition } from './log-name.ts'
import { picturedOf, snapshotParts } from './snapshot.ts'
import { boundsOf } from './stored-change.ts'

/** In characters: the longest snapshot of a database in memory, which is read at once. */
const lengthMaxHere = 64 * 2 ** 20

/** Every record of a moment, and the position in the log to continue from (decision G8). */
export function snapshotRoute(resources: readonly Resource[]): Route {
  const pictured = resources.filter(({ progressing }) => !progressing)
  return {
    method: 'GET',
    path: '/api-v1-snapshot',
    scope: 'read:any',
    takesBody: false,
    run: (call) => snapshot(pictured, call),
    describe: (doc) => describeSnapshot(doc, pictured),
  }
}

async function snapshot(resources: readonly Resource[], call: Call): Promise<ApiResponse> {
  const open = call.openSnapshot ?? ((pictured) => readHere(call, pictured))
  const { seq, read } = await open(readTypes(resources, call).map(picturedOf))
  await call.synced()
  const logId = logIdOf(call.access, call.caller.workspaceId)
  const head = JSON.stringify({ log_id: logId, seq, cursor: writePosition({ logId, seq }) })
  return { status: 200, body: '', parts: read(`${head}\n`), mediaType: snapshotType }
}

/** Threads cannot share a database in memory, so all of it is read at once, which is one moment. */
async function readHere({ reader }: Call, pictured: Parameters<OpenSnapshot>[0]): ReturnType<OpenSnapshot> {
  const parts: string[] = []
  let length = 0
  for (const part of snapshotParts(pictured, reader)) {
    parts.push(part)
    length += part.length
    if (length > lengthMaxHere) throw unavailable('A sandbox this large has no snapshots: read a few types at a time')
  }
  async function* read(head: string) {
    yield head
    yield* parts
  }
  return { seq: boundsOf(reader).latest, read }
}

/** The resources to read. Throws VALIDATION_ERROR, and INSUFFICIENT_PERMISSIONS for a resource that the key may not read. */
function readTypes(resources: readonly Resource[], { query, caller }: Call): Resource[] {
  const details: Detail[] = []
  const text = readParameters(query, ['types'], details).get('types')
  const names = text?.split(',').map((name) => name.trim())
  const choices = resources.map(({ name }) => name)
  for (const name of names ?? []) {
    if (!choices.includes(name)) {
      details.push(invalid('types', oneOf(`There is no snapshot of ${quote(name)}`, choices)))
    }
  }
  if (details.length > 0) throw validationError(details)
  const refused = resources.find((resource) => names?.includes(resource.name) && !mayRead(resource, caller.scopes))
  if (refused) {
    throw new ApiError('INSUFFICIENT_PERMISSIONS', `Insufficient permissions. Required scope: ${scopeOf(refused)}`)
  }
  return resources.filter((resource) => (names?.includes(resource.name) ?? true) && mayRead(resource, caller.scopes))
}

function mayRead(resource: Resource, held: ReadonlySet<string>): boolean {
  return grants(held, scopeOf(resource))
}

/** Users are read as their changes are: only with `admin:all` (decision G1). */
function scopeOf({ scopes, changesReadBy }: Resource): string {
  return changesReadBy?.({})[0] ?? scopes.read
}
