import type { OpenApiDocument, Operation } from './document.ts'
import { publicErrors, transportErrors } from './errors.ts'
import type { HeaderName } from './headers.ts'
import { everyResponse, headerReferences, requestHeader, safety } from './headers.ts'

const pageHeaders: readonly HeaderName[] = [
  ...everyResponse,
  ...(['ETag', 'Cache-Control', 'Content-Security-Policy', 'X-Content-Type-Options', 'Referrer-Policy'] as const),
  ...(['Cross-Origin-Opener-Policy', 'Cross-Origin-Resource-Policy', 'Permissions-Policy'] as const),
]

/** The endpoints that need no key. */
export const publicPaths: OpenApiDocument['paths'] = {
  '/openapi.json': {
    get: page('getOpenApiDocument', 'Get this document', { 'application/json': { schema: { type: 'object' } } }),
  },
  '/llms.txt': {
    get: page('getLlmsText', 'Get this in short, for language models', {
      'text/markdown': { schema: { type: 'string' } },
    }),
  },
  '/docs': {
    get: page('getDocs', 'Read this document and try requests', { 'text/html': { schema: { type: 'string' } } }),
  },
  '/healthz': { get: health('getHealth', 'Whether the process lives', { 200: 'ok' }) },
  '/readyz': { get: health('getReadiness', 'Whether it serves', { 200: 'ready', 503: 'draining' }) },
}

function page(operationId: string, summary: string, content: object): Operation {
  return {
    ...open(operationId, summary, 'Limited per client address, 300 requests a minute.'),
    parameters: [requestHeader('RequestId'), requestHeader('IfNoneMatch')],
    responses: {
      200: { description: 'It.', headers: headerReferences(pageHeaders), content },
      304: { description: 'It is as `If-None-Match` says.', headers: headerReferences(pageHeaders) },
      ...publicErrors,
    },
  }
}

function health(operationId: string, summary: string, statuses: Record<number, string>): Operation {
  const responses = Object.entries(statuses).map(([status, text]) => [status, healthResponse(text)])
  return {
    ...open(operationId, summary, 'Not limited.'),
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

function open(operationId: string, summary: string, description: string) {
  return { operationId, tags: ['Service'], summary, description, security: [] }
}
