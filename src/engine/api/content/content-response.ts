import { type Contents, type Place, withoutContents } from '../../../content/contents.ts'
import { readWhole } from '../../../content/read-whole.ts'
import { unavailable } from '../../../store/constraint.ts'
import type { ApiResponse } from '../call/http-response.ts'
import type { Call } from '../call/route.ts'
import { dispositionOf } from './disposition.ts'
import { rangeOf } from './range.ts'

interface SentContent {
  /** The name under which a browser stores it. */
  readonly name: string
  readonly disposition: 'attachment' | 'inline'
  readonly mediaType: string
  readonly bytes: number
  readonly sha256: string
  whole(): AsyncIterable<Buffer>
  read(begin: number, end: number): AsyncIterable<Buffer>
}

/** The content, or the one range of it that the request asks for (decision O4). It is not cached: who may read it may depend on the user. */
export function contentResponse(call: Call, content: SentContent): ApiResponse {
  const { name, disposition, mediaType, bytes, sha256 } = content
  const etag = `"${sha256}"`
  const headers = ['Content-Disposition', dispositionOf(name, disposition), 'Accept-Ranges', 'bytes']
  const common = { body: '', etag, personal: true } as const
  const range = rangeOf(call.headers, etag, bytes)
  if (range === undefined)
    return { ...common, status: 200, headers, file: { mediaType, bytes, parts: () => content.whole() } }
  const { begin, end } = range
  const position = ['Content-Range', `bytes ${begin}-${end - 1}/${bytes}`]
  const file = { mediaType, bytes: end - begin, parts: () => content.read(begin, end) }
  return { ...common, status: 206, headers: [...headers, ...position], file }
}

/** How stored content is read. */
export function storedContent(contents: Contents, place: Place, bytes: number): Pick<SentContent, 'whole' | 'read'> {
  return {
    whole: () => readWhole(contents, place, bytes),
    read: (begin, end) => contents.read(place, begin, end),
  }
}

/** Throws SERVICE_UNAVAILABLE if content is missing, or has another length than a record says. */
export async function requireContent({ contents }: Call, place: Place, bytes: number): Promise<Contents> {
  if (!contents) throw unavailable(withoutContents)
  const found = await contents.lookupBytes(place)
  if (found === bytes) return contents
  contents.faults.note(found === undefined ? 'missing' : 'length')
  const what = found === undefined ? 'is missing on the server' : 'has another length on the server'
  throw unavailable(`The content of this file ${what}: its operator can restore it from a backup`)
}
