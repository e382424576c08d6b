import { file } from '../../crm/file.ts'
import type { ApiResponse } from '../../engine/api/call/http-response.ts'
import type { Call, Route } from '../../engine/api/call/route.ts'
import { contentResponse, requireContent, storedContent } from '../../engine/api/content/content-response.ts'
import { readParameters } from '../../engine/finding/query/parameters.ts'
import { invalid } from '../../engine/records/definition/faults.ts'
import { idOf, notFound } from '../../engine/records/select.ts'
import { type Detail, validationError } from '../../errors.ts'
import { describeContent } from './describe.ts'
import { inlineTypeOf } from './inline.ts'

/** `GET /api-v1-files/:id/content` (decision O4). */
export const contentRoute: Route = {
  method: 'GET',
  path: `/${file.path}/:id/content`,
  scope: file.scopes.read,
  takesBody: false,
  run: readContent,
  describe: describeContent,
}

interface Stored {
  name: string
  media_type: string
  bytes: number
  sha256: string
}

async function readContent(call: Call): Promise<ApiResponse> {
  const isInline = readInline(call.query)
  const stored = findFile(call)
  const { name, bytes, sha256 } = stored
  const place = { workspaceId: call.caller.workspaceId, sha256 }
  const contents = await requireContent(call, place, bytes)
  const inlineType = isInline ? await inlineTypeOf(contents, place, stored) : undefined
  return contentResponse(call, {
    ...{ name, bytes, sha256, mediaType: inlineType ?? stored.media_type },
    disposition: inlineType === undefined ? 'attachment' : 'inline',
    ...storedContent(contents, place, bytes),
  })
}

function findFile({ reader, params }: Call): Stored {
  const sql = `SELECT name, media_type, bytes, sha256 FROM file
    WHERE workspace_id = :workspace AND deleted_at IS NULL AND id = ?`
  const stored = reader.row<Stored>(sql, idOf(file, params.id!))
  if (!stored) throw notFound(file)
  return stored
}

function readInline(query: string): boolean {
  const details: Detail[] = []
  const given = readParameters(query, ['inline'], details).get('inline')
  if (given !== undefined && !['0', '1'].includes(given)) details.push(invalid('inline', 'inline must be 1 or 0'))
  if (details.length > 0) throw validationError(details)
  return given === '1'
}
