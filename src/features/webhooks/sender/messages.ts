import { type FeedPage, readPage } from '../../../changes/feed.ts'
import { ofMessagesIn } from '../../../changes/may-see.ts'
import type { Payload } from '../../../changes/show.ts'
import type { Resource } from '../../../engine/records/definition/resource.ts'
import { timestamp } from '../../../lib/clock.ts'
import { parseExact } from '../../../lib/exact-json.ts'
import type { Reader } from '../../../store/reader.ts'
import { team } from '../../../store/visibility.ts'

/** Longer bodies are sent without `data` and `previous` (decision H3). */
const bytesMax = 262_144

/** The type of a ping, which is no change. */
export const pingType = 'webhook.ping'

/** A change that is to be delivered. */
export interface Message {
  /** Negative for a ping. */
  number: number
  type: string
  /** JSON text. */
  body: string
}

/** Which changes of a workspace's log are read, and how they are shown. */
export interface Reading {
  resources: readonly Resource[]
  reader: Reader
  logId: string
  /** The types of changes that are read. */
  types: readonly string[]
  payload: 'full' | 'thin'
  /** Whether files of messages are among them. Default: if messages are. */
  withMessages?: boolean
}

/** The changes after a number, up to another one; at most `limit`. */
export interface Reach {
  after: number
  until: number
  limit: number
}

const scopes = new Set(['admin:all'])

/** Several messages are read at once up to this many bytes. */
const readBytesMax = 65_536

/**
 * Reads the next changes after a number, up to another one. `readUntil` is the number up to which there are no others: the log is searched for
 * the types in parts.
 */
export function readMessages(
  { resources, reader, logId, types, payload, withMessages = listsMessages(types) }: Reading,
  { after, until, limit }: Reach,
): { messages: Message[]; readUntil: number } {
  const shown: Payload = payload === 'full' ? 'full' : 'ids'
  const ids = { recordId: undefined, actorId: undefined, requestId: undefined }
  const query = { after: 'start', limit, types, ...ids, wait: 0, payload: shown } as const
  const { changes: all, seq } = readPage(resources, reader, { query, scopes, viewer: team, logId, seq: after })
  const changes = withMessages ? all : withoutAttached(reader, all)
  let bytes = 0
  const isWanted = ({ seq, text }: (typeof changes)[number], at: number) => {
    bytes += text.length
    return seq <= until && (at === 0 || bytes <= readBytesMax)
  }
  const end = changes.findIndex((change, at) => !isWanted(change, at))
  const wanted = end === -1 ? changes : changes.slice(0, end)
  const messages = wanted.map(({ seq, type, text }) => ({ number: seq, type, body: bodyOf(text, logId) }))
  return { messages, readUntil: end === -1 ? Math.min(seq, until) : Math.min(changes[end]!.seq - 1, until) }
}

export function listsMessages(types: readonly string[]): boolean {
  return types.some((type) => type.startsWith('message.'))
}

/** Files of messages are for those who get the messages (decision O1). */
function withoutAttached(reader: Reader, changes: FeedPage['changes']): FeedPage['changes'] {
  const files = changes.filter(({ type }) => type.startsWith('file.'))
  if (files.length === 0) return changes
  const idOf = ({ text }: { text: string }) => JSON.parse(text).record_id as string
  const isAttached = ofMessagesIn(
    reader,
    files.map((each) => ({ resource: 'file', recordId: idOf(each) })),
  )
  return changes.filter(
    (each) => !each.type.startsWith('file.') || !isAttached({ resource: 'file', recordId: idOf(each) }),
  )
}

/** The body of a delivery (decision H3). */
function bodyOf(text: string, logId: string): string {
  const { type, at, data, previous, ...change } = parseExact(text) as Record<string, unknown>
  const { changed, seq, id, resource, record_id, actor, request_id } = change
  const rest = { changed, seq, id, log_id: logId, resource, record_id, actor, request_id }
  const body = JSON.stringify({ type, timestamp: at, data, previous, ...rest })
  return Buffer.byteLength(body) <= bytesMax ? body : JSON.stringify({ type, timestamp: at, ...rest })
}

/** The message that tests a webhook. */
export function pingMessage(number: number, webhookId: string, logId: string): Message {
  const body = { type: pingType, timestamp: timestamp(-number), data: { webhook_id: webhookId }, log_id: logId }
  return { number, type: pingType, body: JSON.stringify(body) }
}
