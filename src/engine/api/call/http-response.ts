import { hash } from 'node:crypto'
import { ApiError } from '../../../errors.ts'

// The HTTP of a response: status, entity tag and `If-Match`. Everything else in the engine is independent of the transport.

/** Server-sent events, which a response sends until it is closed (decision G6). */
export interface EventSource {
  readonly workspaceId: number
  /** The newest number of a change that it has looked for. */
  readonly latest: number
  /** The id of the position that it has reached. */
  readonly position: string
  /** Checks the caller's permissions again. Throws if the caller may no longer read the events. */
  renew(): void
  /** Reads the next events as text, empty if there are none, and whether more follow. Throws as `renew` does, and SERVICE_UNAVAILABLE. */
  next(): Promise<{ text: string; hasMore: boolean }>
}

/** Content as a response. */
export interface SentFile {
  readonly mediaType: string
  /** How many bytes are sent. */
  readonly bytes: number
  /** Reads them. Throws SERVICE_UNAVAILABLE. */
  parts(): AsyncIterable<Buffer>
}

export interface ApiResponse {
  status: number
  /** JSON text. */
  body: string
  /** The parts of the JSON text, each created on demand. They replace a `body` that would be too long for memory. */
  parts?: AsyncIterable<string>
  /** Content that replaces the body, and is never compressed. */
  file?: SentFile
  /** Replaces the body by a stream of events. */
  events?: EventSource
  /** Default: JSON. */
  mediaType?: string
  /** The length of the body, if it is known. */
  bodyBytes?: number
  /** The entity tag of a single record (decision B14). */
  etag?: string
  /** Whether it shows a secret. It is then not cached, and not compressed, because the compressed length would depend on the secret. */
  secret?: true
  /** Whether it depends on the caller's user (decision J7) or on the time, so that it is not cached. */
  personal?: true
  /** For a list that has another page: the parameter that selects it. It replaces `cursor` and `page`. */
  next?: NextPage
  /** Further headers: a flat list of names and values. */
  headers?: readonly string[]
}

/** The JSON text of a response. Of a longer one than `charsMax`, only a beginning that is longer, too. */
export async function textOf(
  { body, parts }: Pick<ApiResponse, 'body' | 'parts'>,
  charsMax = Number.POSITIVE_INFINITY,
): Promise<string> {
  if (!parts) return body
  let text = ''
  for await (const part of parts) {
    text += part
    if (text.length > charsMax) break
  }
  return text
}

export interface NextPage {
  readonly name: 'cursor' | 'page'
  readonly value: string | number
}

/** The media type of lines of JSON. */
export const linesType = 'application/x-ndjson'

export const deleted: ApiResponse = { status: 200, body: '{"data":{"deleted":true}}' }

/** What of a resource the tags depend on: the fields that change while a record is used, without a change of the record. */
interface Tagged {
  readonly unlogged: readonly string[]
}

/** The response that shows a record, given as JSON text. */
export function shown(status: number, text: string, resource?: Tagged): ApiResponse {
  return { status, body: `{"data":${text}}`, etag: etagOf(text, resource) }
}

/** The same with links, which are no part of the record: its own part of the tag is that of the record without them. */
export function shownWith(status: number, text: string, record: string): ApiResponse {
  return { status, body: `{"data":${text}}`, etag: `"${hashOf(record)}.${hashOf(text)}"` }
}

/** Checks `If-Match` against the record's JSON text; undefined: there is none. Throws 412 if the record has changed (decision B14). */
export function requireMatch(ifMatch: string | undefined, readText: () => string | undefined, resource?: Tagged): void {
  if (ifMatch === undefined) return
  const text = readText()
  if (text !== undefined && matches(ifMatch, etagOf(text, resource), recordPart)) return
  throw new ApiError('CONFLICT', 'The record has changed: read it again, then repeat the change', { status: 412 })
}

/** Whether the caller already has the current state. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch !== undefined && matches(ifNoneMatch, etag)
}

/** The suffix that Caddy and Apache add to a tag when they compress. nginx makes the tag weak (decision B14). */
const codingSuffix = /^("[\w-]{22}(?:\.[\w-]{22})?)-(?:gzip|zstd|br)"$/

/** Compares weakly, without what a proxy has added to the tag, and only the part that `partOf` returns. */
function matches(header: string, etag: string, partOf = (tag: string) => tag): boolean {
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, '').replace(codingSuffix, '$1"'))
  return tags.some((tag) => tag === '*' || partOf(tag) === partOf(etag))
}

/** The part of a tag that only a change of the record changes. */
function recordPart(tag: string): string {
  return tag.replace(/\.[\w-]*"$/, '"')
}

/** A hash of the record's JSON text. If the resource has unlogged fields, a hash without these comes first, after which a dot follows. */
function etagOf(text: string, { unlogged }: Tagged = { unlogged: [] }): string {
  if (unlogged.length === 0) return `"${hashOf(text)}"`
  const lasting = Object.entries(JSON.parse(text)).filter(([name]) => !unlogged.includes(name))
  return `"${hashOf(JSON.stringify(lasting))}.${hashOf(text)}"`
}

/** 132 bits. */
function hashOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22)
}
