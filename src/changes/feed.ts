import { grants } from '../access/scopes.ts'
import type { Call } from '../engine/api/call/route.ts'
import type { Reading } from '../engine/finding/reading.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import { ApiError } from '../errors.ts'
import { packUuid } from '../lib/uuid.ts'
import { packRequestId } from '../store/change-log.ts'
import type { Reader, SqlParam } from '../store/reader.ts'
import { hasMessages, isRestricted, type Viewer } from '../store/visibility.ts'
import { type FeedQuery, matchesType, typesOf } from './feed-query.ts'
import { logIdOf, writePosition } from './log-name.ts'
import { mayReadChange } from './may-read.ts'
import { type Sight, sightsIn } from './may-see.ts'
import { type Loaded, showFirst, showHidden, showRevealed } from './show.ts'
import {
  boundsOf,
  type LogIndex,
  latestOf,
  pageLengthMax,
  readAtOnceMax,
  type StoredChange,
  selectSome,
  termIds,
} from './stored-change.ts'

/** The number of changes that one page looks through for those of the wanted types. */
const scannedMax = 20_000

/** A page is read in parts that are expected to fill it: after the first part, the size of changes is known. */
const firstPart = 50

/** A reader of the log: what it asks for, what its key may see, and where it is. */
export interface Follower {
  readonly query: FeedQuery
  readonly logId: string
  readonly scopes: ReadonlySet<string>
  readonly viewer: Viewer
  /** The number of the last change that it knows. */
  readonly seq: number
}

export interface FeedPage {
  /** JSON texts of changes, oldest first. */
  changes: { seq: number; type: string; text: string }[]
  /** The position after the page, which may be behind its last change. */
  seq: number
  latest: number
  oldest: number
  hasMore: boolean
}

/** Finds the position that a request starts from. Throws 410 if the log does not lead there. */
export function openFollower(call: Call, query: FeedQuery): Follower {
  const { access, caller, reader } = call
  const logId = logIdOf(access, caller.workspaceId)
  const { oldest, latest } = boundsOf(reader)
  const { after } = query
  const follower = { query, logId, scopes: caller.scopes, viewer: caller.viewer }
  if (after === 'start') return { ...follower, seq: oldest - 1 }
  if (after === 'now') return { ...follower, seq: latest }
  if (after.logId !== logId || after.seq > latest) {
    throw gone('The cursor belongs to another log: read a snapshot, and continue from its cursor', 'INVALID_VALUE')
  }
  if (after.seq < oldest - 1) {
    throw gone(`The log no longer has the changes after this cursor: the oldest is ${oldest}`, 'OUT_OF_RANGE')
  }
  return { ...follower, seq: after.seq }
}

function gone(message: string, code: 'INVALID_VALUE' | 'OUT_OF_RANGE'): ApiError {
  const details = [{ field: 'after', message, code }]
  const headers = { Link: '</api-v1-snapshot>; rel="snapshot"' }
  return new ApiError('NOT_FOUND', 'These changes are not available', { status: 410, details, headers })
}

/** The changes that follow. The caller must wait for `synced` before it shows them (decision G2). */
export function feedReading(resources: readonly Resource[]): Reading<Follower, FeedPage> {
  return {
    name: 'page of changes',
    isQuick: (reader, { seq }) => latestOf(reader) - seq <= readAtOnceMax,
    run: (reader, follower, proceed) => readPage(resources, reader, follower, proceed),
  }
}

/** As `feedReading`. */
export function readPage(
  resources: readonly Resource[],
  reader: Reader,
  follower: Follower,
  proceed = () => {},
): FeedPage {
  const { query, seq } = follower
  const { oldest, latest } = boundsOf(reader)
  const by = indexFor(query)
  const end = by === 'seq' ? Math.min(latest, seq + scannedMax) : latest
  const { conditions, params } = conditionsOf(resources, reader, follower)
  const rest = ['AND seq > ? AND seq <= ?', ...conditions, 'ORDER BY seq LIMIT ?'].join(' ')
  const changes: FeedPage['changes'] = []
  let place = seq
  let rows = 0
  for (let length = 0; rows < query.limit && place < end && length < pageLengthMax; ) {
    proceed()
    const left = pageLengthMax - length
    const part = length === 0 ? firstPart : Math.ceil(left / (length / rows))
    const bounds = { limit: Math.min(query.limit - rows, part), bytesMax: left }
    const stored = selectSome(reader, by, rest, [place, end, ...params], bounds)
    const { shown, last } = showPart(resources, reader, follower, stored, left)
    changes.push(...shown)
    length += shown.reduce((sum, { text }) => sum + text.length, 0)
    rows += stored.filter(({ seq }) => seq <= last).length
    place = stored.length === 0 ? end : last
  }
  return { changes, seq: place, oldest, latest, hasMore: place < latest }
}

function indexFor({ recordId, requestId, actorId }: FeedQuery): LogIndex {
  if (recordId !== undefined) return 'record_id'
  if (requestId !== undefined) return 'request_id'
  return actorId === undefined ? 'seq' : 'actor'
}

/** Shows the changes up to `last`: those whose data have at most `lengthMax` characters, or one. */
function showPart(
  resources: readonly Resource[],
  reader: Reader,
  { scopes, query, viewer }: Follower,
  stored: readonly StoredChange[],
  lengthMax: number,
): { shown: FeedPage['changes']; last: number } {
  const sightOf = sightsIn(reader, stored, viewer)
  const readable = stored.flatMap((change) => load(resources, scopes, change))
  const sights = new Map(readable.map(({ change }) => [change.seq, sightOf(change)]))
  const seen = readable.filter(({ change }) => ['as it is', 'reveals'].includes(sights.get(change.seq)!))
  const first = showFirst(reader, seen, query.payload, lengthMax)
  const texts = new Map(first.map((text, at) => [seen[at]!.change.seq, text]))
  const last = (first.length < seen.length ? seen[first.length - 1]!.change : stored.at(-1))?.seq ?? 0
  const shown = readable.flatMap(({ change }) => {
    if (change.seq > last) return []
    const each = showSeen(change, sights.get(change.seq)!, texts.get(change.seq), query)
    return each && isWanted(each.type, query) ? [{ seq: change.seq, ...each }] : []
  })
  return { shown, last }
}

/** By its author or request, nobody finds a change that hides a message. */
function showSeen(change: StoredChange, sight: Sight, text: string | undefined, query: FeedQuery) {
  const { payload, actorId, requestId } = query
  if (sight === 'as it is') return { type: change.type, text: text! }
  if (sight === 'reveals') return { type: `${change.resource}.updated`, text: showRevealed(change, text!) }
  if (sight === 'unseen' || actorId !== undefined || requestId !== undefined) return undefined
  return { type: `${change.resource}.deleted`, text: showHidden(change, payload) }
}

function isWanted(type: string, { types = ['*'] }: FeedQuery): boolean {
  return types.some((pattern) => matchesType(type, pattern))
}

/** The change with its resource, unless the key may not see it. */
function load(resources: readonly Resource[], scopes: ReadonlySet<string>, change: StoredChange): Loaded[] {
  const resource = resources.find(({ name }) => name === change.resource)!
  const data = resource.changesReadBy && change.data !== null ? JSON.parse(change.data) : {}
  return mayReadChange(resource, data, scopes) ? [{ change, resource }] : []
}

function conditionsOf(resources: readonly Resource[], reader: Reader, { query, scopes }: Follower) {
  const conditions: string[] = []
  const params: SqlParam[] = []
  const add = (condition: string, param: SqlParam) => {
    conditions.push(`AND ${condition}`)
    params.push(param)
  }
  const { types = ['*'], recordId, actorId, requestId } = query
  const all = resources.flatMap(typesOf)
  const wanted = resources
    .filter((resource) => mayRead(resource, scopes))
    .flatMap(typesOf)
    .filter((type) => types.some((pattern) => matchesType(type, pattern)) || isAlike(type, types))
  const among = (ids: readonly number[]) => `(SELECT value FROM json_each('${JSON.stringify(ids)}'))`
  if (wanted.length < all.length) conditions.push(`AND change.type IN ${among(termIds(reader, wanted))}`)
  if (recordId !== undefined) add('record_id = ?', packUuid(recordId))
  if (requestId !== undefined) add('request_id = ?', packRequestId(requestId))
  if (actorId !== undefined) {
    const texts = ['api_key', 'user', 'import'].map((type) => `${type} ${actorId}`)
    add('change.actor = ?', termIds(reader, texts)[0] ?? null)
  }
  return { conditions, params }
}

/** Whether a change of this type may be shown as one of another type, because it hides a message or its file, or reveals it. */
function isAlike(type: string, patterns: readonly string[]): boolean {
  const [resource = ''] = type.split('.')
  if (!isRestricted(resource)) return false
  return [`${resource}.deleted`, `${resource}.updated`].some((each) =>
    patterns.some((pattern) => matchesType(each, pattern)),
  )
}

/** Whether a key may see some changes of a resource. */
function mayRead({ scopes, changesReadBy }: Resource, held: ReadonlySet<string>): boolean {
  return changesReadBy !== undefined || grants(held, scopes.read)
}

/** Whether the key may be unable to see some changes (decision G5). */
export function isFiltered(resources: readonly Resource[], reader: Reader, { scopes }: Follower): boolean {
  return !grants(scopes, 'admin:all') || resources.some((resource) => !mayRead(resource, scopes)) || hasMessages(reader)
}

/** The cursor after a page, or of the position that a reader has reached. */
export function cursorOf({ logId }: Follower, seq: number): string {
  return writePosition({ logId, seq })
}
