import { type Detail, validationError } from '../../../errors.ts'
import { readParameters } from '../../finding/query/parameters.ts'
import { declaredOf } from '../../records/declared/declared.ts'
import { invalid, oneOf, quote } from '../../records/definition/faults.ts'
import type { Resource } from '../../records/definition/resource.ts'
import type { Describer, Description, Values } from '../../records/describe.ts'
import { readCreate } from '../../records/rows/validate.ts'
import { lookupText } from '../../records/select.ts'
import { type ApiResponse, requireMatch, shown } from '../call/http-response.ts'
import type { Call, Route } from '../call/route.ts'
import { lower, pascal, withArticle } from '../openapi/names.ts'
import { type Matching, matchingOn, matchNames, matchText } from './matching.ts'
import { type Mode, modes, modeText, upsert } from './upsert.ts'

/** Creates or updates a record (decision K2). `mayRead`: whether the caller may read the resource. */
export function upsertRoute(resource: Resource, mayRead: (caller: Call['caller']) => boolean): Route {
  return {
    method: 'PUT',
    path: `/${resource.path}`,
    scope: resource.scopes.write,
    takesBody: true,
    run: (call) => put(resource, call, mayRead),
    describe: (doc) => describe(doc, resource),
  }
}

function put(resource: Resource, call: Call, mayRead: (caller: Call['caller']) => boolean): Promise<ApiResponse> {
  const { reader, body, write } = call
  const { matching, mode } = readQuery(resource, call)
  const input = readCreate(resource, reader, body)
  matching.requireType?.(reader, input)
  if (matching.keysOf(reader, input).length === 0) {
    throw validationError([invalid(matching.name, `match_on=${matching.name} needs a value in the body`, 'REQUIRED')])
  }
  return write((tx, caller) => {
    const reads = mayRead(caller)
    const textOf = (id: string) => lookupText(resource, tx, id)!
    const allow = (id: string | undefined) => requireMatch(call.headers.ifMatch, () => id && textOf(id), resource)
    const given = { body, input, matching, mode }
    const { id, outcome } = upsert(resource, tx, given, { limits: caller.limits, allow })
    const status = outcome === 'created' ? 201 : 200
    const headers = ['Kontor-Outcome', outcome, ...(status === 201 ? ['Location', `/${resource.path}/${id}`] : [])]
    if (!reads) return { status, body: JSON.stringify({ data: { id } }), headers }
    return { ...shown(status, textOf(id), resource), headers }
  })
}

/** Throws VALIDATION_ERROR with every invalid parameter. */
function readQuery(resource: Resource, { query, reader }: Call): { matching: Matching; mode: Mode } {
  const details: Detail[] = []
  const given = readParameters(query, ['match_on', 'mode'], details)
  const declared = declaredOf(resource, reader)
  const name = given.get('match_on')
  const matching = name === undefined ? undefined : matchingOn(resource, declared, name)
  if (!matching) {
    const names = [...matchNames(resource, declared), 'metadata.<key> of a unique declared field']
    const message = name === undefined ? 'match_on is required' : `${quote(name)} cannot be matched on`
    details.push(invalid('match_on', oneOf(message, names), name === undefined ? 'REQUIRED' : 'INVALID_VALUE'))
  }
  const mode = (given.get('mode') ?? 'merge') as Mode
  if (!modes.includes(mode)) details.push(invalid('mode', `mode must be one of: ${modes.join(', ')}`))
  if (!matching || details.length > 0) throw validationError(details)
  return { matching, mode }
}

function describe(doc: Describer, resource: Resource): Description {
  const { label, matchedBy } = resource
  const [matchOn] = matchedBy
  const matched = (record: Values) =>
    matchOn === undefined ? { ...record, metadata: { ...(record.metadata as object), number: 'A-17' } } : record
  const what = lower(label)
  const id = doc.object({ id: { type: 'string', format: 'uuid' } })
  const schema = doc.envelope(`Upserted${pascal(resource.name)}`, { anyOf: [doc.record(resource), id] })
  const about = `The ${what}, which has been updated or was already as the body says.`
  return {
    id: `upsert${pascal(resource.name)}`,
    tag: doc.tag(resource),
    summary: `Create or update ${withArticle(label)}`,
    details: `Creates the ${what}, or updates the one that has the same value of \`match_on\`. The body is that of a create. Emails and phones are added, never removed, and metadata are merged by key. The header \`Kontor-Outcome\` says what has happened. A key without \`${resource.scopes.read}\` gets only the id, without an \`ETag\`.`,
    query: [
      {
        name: 'match_on',
        required: true,
        about: `What is compared, without case, and a declared field as \`eq\` compares it: ${matchText(resource)}.`,
        schema: { type: 'string' },
      },
      {
        name: 'mode',
        about: modeText,
        schema: { type: 'string', enum: modes, default: 'merge' },
      },
    ],
    body: doc.body(resource),
    conditional: true,
    response: { about: `The new ${what}.`, schema, status: 201, tagged: 'readable' },
    existing: { about, schema },
    errors: {
      CONFLICT: `Several records match. Their ids are in the message for a key with \`${resource.scopes.read}\`.`,
      ALREADY_EXISTS: 'A record matches, and the mode is `create_only`; or another unique value is taken.',
      NOT_FOUND: 'No record matches, and the mode is `update_only`.',
    },
    example: {
      query: { match_on: matchOn ?? 'metadata.number' },
      body: matched(doc.exampleBody(resource)),
      response: { data: matched(doc.exampleRecord(resource)) },
    },
  }
}
