import { createHash } from 'node:crypto'
import { message } from '../../crm/message.ts'
import type { ApiResponse } from '../../engine/api/call/http-response.ts'
import type { Call, Route } from '../../engine/api/call/route.ts'
import { contentResponse, requireContent, storedContent } from '../../engine/api/content/content-response.ts'
import { refuseParameters } from '../../engine/finding/query/parameters.ts'
import type { Describer, Description } from '../../engine/records/describe.ts'
import { idOf, notFound } from '../../engine/records/select.ts'
import { ApiError } from '../../errors.ts'

const common = { method: 'GET', scope: message.scopes.read, takesBody: false } as const

/** A message as it was sent (decision P1). */
export const shownMessageRoutes: readonly Route[] = [
  { ...common, path: `/${message.path}/:id/html`, run: readHtml, describe: describeHtml },
  { ...common, path: `/${message.path}/:id/original`, run: readOriginal, describe: describeOriginal },
]

function readHtml(call: Call): ApiResponse {
  const { html } = findMessage(call)
  if (html === null) throw new ApiError('NOT_FOUND', 'This message has no HTML')
  const content = Buffer.from(html)
  async function* read(begin: number, end: number): AsyncGenerator<Buffer> {
    yield content.subarray(begin, end)
  }
  return contentResponse(call, {
    ...{ name: 'message.html', disposition: 'inline', mediaType: 'text/html; charset=utf-8', bytes: content.length },
    sha256: createHash('sha256').update(content).digest('hex'),
    whole: () => read(0, content.length),
    read,
  })
}

async function readOriginal(call: Call): Promise<ApiResponse> {
  const { original_sha256: sha256, original_bytes: bytes } = findMessage(call)
  if (sha256 === null || bytes === null) throw new ApiError('NOT_FOUND', 'The original of this message is gone')
  const place = { workspaceId: call.caller.workspaceId, sha256 }
  const contents = await requireContent(call, place, bytes)
  return contentResponse(call, {
    ...{ name: 'message.eml', disposition: 'attachment', mediaType: 'message/rfc822', bytes, sha256 },
    ...storedContent(contents, place, bytes),
  })
}

interface Stored {
  html: string | null
  original_sha256: string | null
  original_bytes: number | null
}

function findMessage({ reader, params, query }: Call): Stored {
  refuseParameters(query)
  const sql = `SELECT html, original_sha256, original_bytes FROM message
    WHERE workspace_id = :workspace AND deleted_at IS NULL AND id = ?`
  const stored = reader.row<Stored>(sql, idOf(message, params.id!))
  if (!stored) throw notFound(message)
  return stored
}

function describeHtml(doc: Describer): Description {
  return {
    id: 'getMessageHtml',
    tag: doc.tag(message),
    summary: 'Show a message as HTML',
    details:
      'Sanitized: it runs nothing, and loads nothing by itself. Remote pictures have their address in `data-remote-src`, those that are attached the `sha256` of the file in `data-attachment`. 404 if `has_html` is false.',
    sent: 'The HTML of the message.',
    response: { about: 'The HTML of the message.', schema: { type: 'string' }, mediaType: 'text/html', tagged: true },
    example: { params: { id: doc.exampleId('message') }, response: '<p>We would like 200 hampers.</p>' },
  }
}

function describeOriginal(doc: Describer): Description {
  const about = 'The message as it was received.'
  return {
    id: 'getMessageOriginal',
    tag: doc.tag(message),
    summary: 'Download a message as it was received',
    details: 'Byte for byte. 404 if it was erased.',
    sent: about,
    response: { about, schema: { type: 'string' }, mediaType: 'message/rfc822', tagged: true },
    example: {
      params: { id: doc.exampleId('message') },
      response: 'From: grace@example.com\r\n\r\nWe would like 200 hampers.',
    },
  }
}
