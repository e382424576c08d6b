import { mailInErrors, publicErrors, transportErrors } from './errors.ts'
import type { HeaderName } from './headers.ts'
import { everyResponse, headerReferences, requestHeader, safety } from './headers.ts'
import type { OpenApiDocument, Operation } from './operation.ts'
import { mailIn, type PublicPath, publicRoutes } from './public-routes.ts'

const pageHeaders: readonly HeaderName[] = [
  ...everyResponse,
  'ETag',
  'Cache-Control',
  'Content-Security-Policy',
  'X-Content-Type-Options',
  'Referrer-Policy',
  'Cross-Origin-Opener-Policy',
  'Cross-Origin-Resource-Policy',
  'Permissions-Policy',
]

/** The endpoints that need no key. */
export const publicPaths: OpenApiDocument['paths'] = {
  '/openapi.json': {
    get: page('getOpenApiDocument', '/openapi.json', { 'application/json': { schema: { type: 'object' } } }),
  },
  '/llms.txt': {
    get: page('getLlmsText', '/llms.txt', { 'text/markdown': { schema: { type: 'string' } } }),
  },
  '/docs': {
    get: page('getDocs', '/docs', { 'text/html': { schema: { type: 'string' } } }),
  },
  [mailIn.path]: { post: describeMailIn() },
  '/healthz': { get: health('getHealth', '/healthz', { 200: 'ok' }) },
  '/readyz': { get: health('getReadiness', '/readyz', { 200: 'ready', 503: 'draining' }) },
  '/readyz/leader': {
    get: health('getWriteReadiness', '/readyz/leader', { 200: 'ready', 503: 'not ready' }),
  },
}

function page(operationId: string, path: PublicPath, content: object): Operation {
  return {
    ...open(operationId, path, 'Limited per client address, 300 requests a minute.'),
    parameters: [requestHeader('RequestId'), requestHeader('IfNoneMatch')],
    responses: {
      200: { description: 'The content.', headers: headerReferences(pageHeaders), content },
      304: {
        description: 'Not modified: the content still matches `If-None-Match`.',
        headers: headerReferences(pageHeaders),
      },
      ...publicErrors,
    },
  }
}

function describeMailIn(): Operation {
  const accepted = {
    type: 'object',
    properties: { accepted: { type: 'boolean', const: true } },
    required: ['accepted'],
  }
  const schema = { type: 'object', properties: { data: accepted }, required: ['data'] }
  return {
    operationId: 'acceptMessage',
    tags: ['Service'],
    summary: mailIn.summary,
    description:
      'With `--mail-domain`. The body is the raw message, at most 40 MiB. It is delivered later: the mail log has the outcome. Every address gets the same response, except that those of companies that have moved get 503. Limited for each client address and each mail address, 120 requests a minute. An `Idempotency-Key` has no effect: the same message is stored once.',
    ...{ security: [] },
    parameters: [
      requestHeader('RequestId'),
      {
        ...{ name: 'address', in: 'query', required: true, schema: { type: 'string' } },
        description: 'The mail address at which the message arrives.',
      },
    ],
    requestBody: { required: true, content: { 'message/rfc822': { schema: { type: 'string' } } } },
    responses: {
      202: {
        description: 'The message is on disk.',
        headers: headerReferences(everyResponse),
        content: { 'application/json': { schema, example: { data: { accepted: true } } } },
      },
      ...mailInErrors,
    },
  }
}

function health(operationId: string, path: PublicPath, statuses: Record<number, string>): Operation {
  const responses = Object.entries(statuses).map(([status, text]) => [status, healthResponse(text)])
  return {
    ...open(operationId, path, 'Not limited.'),
    parameters: [requestHeader('RequestId')],
    responses: { ...Object.fromEntries(responses), ...transportErrors },
  }
}

function healthResponse(text: string) {
  const status = { type: 'string', const: text }
  const schema = { type: 'object', properties: { status }, required: ['status'] }
  return {
    description: `\`${text}\``,
    headers: headerReferences(['X-Request-Id', ...safety]),
    content: { 'application/json': { schema, example: { status: text } } },
  }
}

function open(operationId: string, path: PublicPath, description: string) {
  return { operationId, tags: ['Service'], summary: publicRoutes[path], description, security: [] }
}
