import type { Contents, Place } from '../../content/contents.ts'
import { readWhole } from '../../content/read-whole.ts'
import { file } from '../../crm/file.ts'
import type { ApiResponse, SentFile } from '../../engine/api/call/http-response.ts'
import type { Call, Route } from '../../engine/api/call/route.ts'
import { readParameters } from '../../engine/finding/query/parameters.ts'
import { invalid } from '../../engine/records/definition/faults.ts'
import { idOf, notFound } from '../../engine/records/select.ts'
import { type Detail, validationError } from '../../errors.ts'
import { unavailable } from '../../store/constraint.ts'
import { describeContent } from './describe.ts'
import { dispositionOf } from './disposition.ts'
import { inlineTypeOf } from './inline.ts'
import { rangeOf } from './range.ts'

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
  const place = { workspaceId: call.caller.workspaceId, sha256: stored.sha256 }
  const contents = await requireContent(call, place, stored.bytes)
  const inlineType = isInline ? await inlineTypeOf(contents, place, stored) : undefined
  const etag = `"${stored.sha256}"`
  const headers = [
    ...['Content-Disposition', dispositionOf(stored.name, inlineType === undefined ? 'attachment' : 'inline')],
    ...['Accept-Ranges', 'bytes'],
  ]
  const mediaType = inlineType ?? stored.media_type
  const range = rangeOf(call.headers, etag, stored.bytes)
  if (range === undefined) {
    const parts = () => readWhole(contents, place, stored.bytes)
    return { status: 200, body: '', etag, headers, file: { mediaType, bytes: stored.bytes, parts } }
  }
  const { begin, end } = range
  const part: SentFile = { mediaType, bytes: end - begin, parts: () => contents.read(place, begin, end) }
  const position = ['Content-Range', `bytes ${begin}-${end - 1}/${stored.bytes}`]
  return { status: 206, body: '', etag, headers: [...headers, ...position], file: part }
}

/** Throws SERVICE_UNAVAILABLE if the content is missing or has another length. */
async function requireContent({ contents }: Call, place: Place, bytes: number): Promise<Contents> {
  const found = await contents?.lookupBytes(place)
  if (contents && found === bytes) return contents
  contents?.faults.note(found === undefined ? 'missing' : 'length')
  const what = found === undefined ? 'is missing on the server' : 'has another length on the server'
  throw unavailable(`The content of this file ${what}: its operator can restore it from a backup`)
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
