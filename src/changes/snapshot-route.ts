import { grants, missingScope } from '../access/scopes.ts'
import { type ApiResponse, linesType } from '../engine/api/call/http-response.ts'
import type { Call, Route } from '../engine/api/call/route.ts'
import { readParameters } from '../engine/finding/query/parameters.ts'
import { invalid, oneOf, quote } from '../engine/records/definition/faults.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import type { Describer, Description } from '../engine/records/describe.ts'
import { type Detail, validationError } from '../errors.ts'
import { changesTag, exampleLog } from './describe.ts'
import { logIdOf, writePosition } from './log-name.ts'
import { readableTypes } from './may-read.ts'
import { picturedOf, snapshotReading } from './snapshot.ts'

/** Every record of a moment, and the position in the log to continue from (decision G8). */
export function snapshotRoute(resources: readonly Resource[]): Route {
  return {
    method: 'GET',
    path: '/api-v1-snapshot',
    scope: 'read:any',
    takesBody: false,
    run: (call) => snapshot(resources, call),
    describe: (doc) => describeSnapshot(doc, resources),
  }
}

async function snapshot(resources: readonly Resource[], call: Call): Promise<ApiResponse> {
  const pictured = readTypes(resources, call).map((resource) => picturedOf(resource, call.caller.scopes))
  const { seq, read } = await call.read(snapshotReading, pictured)
  await call.log.synced()
  const logId = logIdOf(call.access, call.caller.workspaceId)
  const head = JSON.stringify({ log_id: logId, seq, cursor: writePosition({ logId, seq }) })
  return { status: 200, body: '', parts: read(`${head}\n`), mediaType: linesType }
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
  if (refused) throw missingScope(scopeOf(refused))
  return resources.filter((resource) => (names?.includes(resource.name) ?? true) && mayRead(resource, caller.scopes))
}

function mayRead(resource: Resource, held: ReadonlySet<string>): boolean {
  if (resource.progressing) return readableTypes(resource, held).length > 0
  return grants(held, scopeOf(resource))
}

/** Users are read as their changes are: only with `admin:all` (decision G1). */
function scopeOf({ scopes, changesReadBy }: Resource): string {
  return changesReadBy?.({})[0] ?? scopes.read
}

function describeSnapshot(doc: Describer, resources: readonly Resource[]): Description {
  return {
    id: 'getSnapshot',
    tag: changesTag(doc),
    summary: 'Read every record of one moment',
    details:
      'Lines of JSON: first `{log_id, seq, cursor}`, then one line `{resource, data}` per record, and last `{end: true, count}`. A response without the last line is incomplete. Continue with `cursor` at `/api-v1-changes`: that neither misses nor repeats a change. A company reads one snapshot at a time, for up to five minutes.',
    query: [
      {
        name: 'types',
        schema: { type: 'string' },
        about: `Resources, separated by commas: ${resources.map(({ name }) => `\`${name}\``).join(', ')}. Default: all that the key may read. Users and keys require \`admin:all\`. Jobs are as their last change shows them.`,
      },
    ],
    response: {
      about: 'The records, one per line.',
      schema: { type: 'string' },
      mediaType: linesType,
    },
    example: {
      query: { types: 'organization' },
      response: linesOf([
        { log_id: exampleLog, seq: 8, cursor: `${exampleLog}-8` },
        { resource: 'organization', data: doc.exampleRecord(resources.find(({ name }) => name === 'organization')!) },
        { end: true, count: 1 },
      ]),
    },
  }
}

function linesOf(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}
