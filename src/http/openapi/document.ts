import { acceptedScopes } from '../../access/scopes.ts'
import type { Route } from '../../engine/api/call/route.ts'
import { createDescriber } from '../../engine/api/openapi/describer.ts'
import type { Describer, Description, JsonSchema, Parameter } from '../../engine/records/describe.ts'
import { errorComponents, errorResponses, errorSchemas, strayErrors, transportErrors } from './errors.ts'
import { guide } from './guide.ts'
import { everyResponse, type HeaderName, headerReferences, headers, requestHeader, requestHeaders } from './headers.ts'
import type { OpenApiDocument, Operation } from './operation.ts'
import { publicPaths } from './public-paths.ts'

/** Describes the API as OpenAPI 3.1, from the routes that serve it (decision F7). */
export function createDocument(routes: readonly Route[], version: string, serverUrl = '/'): OpenApiDocument {
  const schemas = errorSchemas()
  const tags: Record<string, string> = {}
  const doc = createDescriber({ schemas, tags })
  const paths: OpenApiDocument['paths'] = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = operationOf(route, doc)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kontor',
      version,
      summary: 'A self-hosted, multi-tenant sales CRM.',
      description: guide,
      contact: { name: 'The Kontor authors' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: [...Object.entries(tags).map(([name, description]) => ({ name, description })), serviceTag],
    paths: { ...paths, ...publicPaths },
    components: {
      schemas: sorted(schemas),
      parameters: requestHeaders,
      headers,
      responses: errorComponents(),
      securitySchemes,
    },
    'x-stray-responses': strayErrors,
    'x-transport-responses': transportErrors,
  }
}

const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'svc_live_… or svc_test_…' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'kontor_session',
    description: 'A user who has signed in to the console. The browser sends the cookie by itself.',
  },
}

const forUsers = 'Only a signed-in user of the console can do this: a key gets 403.'

const serviceTag = { name: 'Service', description: 'The health and the documentation of the server. No key is needed.' }

function operationOf(route: Route, doc: Describer): Operation {
  const description = route.describe(doc)
  const { id, tag, summary, details, body, example, scopes } = description
  const { usersOnly, bodyOptional = false } = route
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [details, usersOnly ? forUsers : describeScope(route.scope, scopes), describeRepeats(route)]
      .filter(Boolean)
      .join('\n\n'),
    ...(usersOnly ? { security: [{ session: [] }] } : security(route.scope, scopes)),
    parameters: parametersOf(route, description),
    ...(body !== undefined && {
      requestBody: {
        required: !bodyOptional,
        content: { 'application/json': { schema: body, example: example.body } },
      },
    }),
    ...(description.file && {
      requestBody: { required: true, content: { '*/*': { schema: binary, example: description.file } } },
    }),
    responses: { ...successOf(route, description), ...errorResponses(route, description) },
  }
}

/** Bytes of any kind. */
const binary = { contentMediaType: 'application/octet-stream' }

function parametersOf({ path, method }: Route, { query = [], response, conditional, example }: Description) {
  const ids = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', format: 'uuid' },
    example: example.params![name!],
  }))
  return [
    ...ids,
    ...query.map((each) => queryParameter(each, example.query)),
    requestHeader('RequestId'),
    ...((conditional ?? ['PATCH', 'DELETE'].includes(method)) ? [requestHeader('IfMatch')] : []),
    ...(method === 'GET' && response.tagged ? [requestHeader('IfNoneMatch')] : []),
    ...(method === 'GET' ? [requestHeader('MinPosition')] : []),
    ...(response.events === undefined ? [] : [requestHeader('LastEventId')]),
  ]
}

function queryParameter({ about, ...parameter }: Parameter, examples: Readonly<Record<string, string>> = {}) {
  const example = Object.hasOwn(examples, parameter.name) ? { example: examples[parameter.name] } : {}
  return { ...parameter, in: 'query', ...(about !== undefined && { description: about }), ...example }
}

const replayed: readonly HeaderName[] = ['Idempotent-Replayed', 'Kontor-Original-Request-Id']

function successOf(
  { method }: Route,
  { response, query = [], example, queued, existing, sent, tellsOutcome = method === 'PUT' }: Description,
): Record<string, JsonSchema> {
  const { status = 200, about, schema, tagged, compared, events, files = [], mediaType = 'application/json' } = response
  const repeated = method === 'POST' ? replayed : []
  const names: HeaderName[] = [
    ...everyResponse,
    ...(status === 200 ? [] : (['Location'] as const)),
    ...(tagged ? (['ETag'] as const) : []),
    ...repeated,
    ...(compared ? (['Kontor-Duplicate-Of'] as const) : []),
    ...(tellsOutcome && existing ? (['Kontor-Outcome'] as const) : []),
    ...(events === undefined ? [] : (['X-Accel-Buffering'] as const)),
    ...(files.length === 0 && !sent ? [] : (['Content-Disposition'] as const)),
    ...(sent ? (['Accept-Ranges'] as const) : []),
    ...(query.some(({ name }) => name === 'cursor') ? (['Link'] as const) : []),
  ]
  const mayLack = tagged === 'readable' && { ETag: { ...headers.ETag, required: false } }
  const headersOf = (names: readonly HeaderName[]) => ({ ...headerReferences(names), ...mayLack })
  const success = {
    description: about,
    headers: headersOf(names),
    // Not in `content`: generated clients would not know whether the response is JSON.
    ...(files.length > 0 && { 'x-files': files }),
    ...(events !== undefined && { 'x-event-stream': events }),
    content: { [mediaType]: { schema, example: example.response } },
  }
  if (queued) {
    const names: HeaderName[] = [...everyResponse, 'Location', ...replayed]
    const content = { 'application/json': { schema: queued.schema } }
    return { [status]: success, 202: { description: queued.about, headers: headerReferences(names), content } }
  }
  if (existing) {
    const outcome: HeaderName[] = tellsOutcome ? ['Kontor-Outcome'] : []
    const names: HeaderName[] = [...everyResponse, 'ETag', ...outcome, ...repeated]
    const content = { 'application/json': { schema: existing.schema } }
    return { 200: { description: existing.about, headers: headersOf(names), content }, [status]: success }
  }
  if (method !== 'GET' || !tagged) return { [status]: success }
  const unchanged = {
    description: 'Not modified: the record still matches `If-None-Match`.',
    headers: headerReferences([...everyResponse, 'ETag']),
  }
  if (!sent) return { [status]: success, 304: unchanged }
  const part = { ...success, description: 'The range that was asked for.' }
  return { 200: success, 206: { ...part, headers: headerReferences([...names, 'Content-Range']) }, 304: unchanged }
}

/** The scopes as roles of the key; several entries are alternatives. */
function security(scope: string, roles = acceptedScopes(scope)) {
  return {
    security: roles.length === 0 ? [{ apiKey: [] }] : roles.map((role) => ({ apiKey: [role] })),
    'x-required-scope': roles.length > 1 ? roles : scope,
  }
}

function describeScope(scope: string, scopes: readonly string[] | undefined): string {
  if (scopes) return `Scope, depending on the record: ${scopes.map((each) => `\`${each}\``).join(', ')}.`
  if (scope === 'any') return 'Scope: none, any valid key.'
  return scope === 'read:any' ? 'Scope: any read scope.' : `Scope: \`${scope}\`.`
}

/**
 * Describes `Idempotency-Key` as text. Programs that import the document would send a parameter with the same value in every request,
 * which would be a conflict.
 */
function describeRepeats({ method, storesNothing }: Route): string | undefined {
  return method === 'POST' && !storesNothing
    ? 'Safe to repeat with an `Idempotency-Key` header (see Writing safely).'
    : undefined
}

function sorted<T>(values: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)))
}
