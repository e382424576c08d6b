import { hash } from 'node:crypto'
import type { Row } from '../engine/records/definition/change.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import { parseExact } from '../lib/exact-json.ts'
import { unpackUuid } from '../lib/uuid.ts'
import { type NamedActor, nameActor } from '../store/actor-name.ts'
import type { Actor } from '../store/change-log.ts'
import type { Reader } from '../store/reader.ts'
import { dataOf } from './derive.ts'
import { readActor, type StoredChange } from './stored-change.ts'

export type Payload = 'full' | 'ids'

/** A change of a resource, and the resource. */
export interface Loaded {
  change: StoredChange
  resource: Resource
}

/** The JSON texts of changes, in the order given (decision G3). */
export function showChanges(reader: Reader, loaded: readonly Loaded[], payload: Payload = 'full'): string[] {
  return showWithin(reader, loaded, payload, Number.POSITIVE_INFINITY)!
}

/** The same for the first of some changes: as many as have data of at most `lengthMax` characters, or one. */
export function showFirst(reader: Reader, loaded: readonly Loaded[], payload: Payload, lengthMax: number): string[] {
  for (let count = loaded.length; count > 1; count = Math.ceil(count / 2)) {
    const texts = showWithin(reader, loaded.slice(0, count), payload, lengthMax)
    if (texts) return texts
  }
  return showChanges(reader, loaded.slice(0, 1), payload)
}

/** The JSON texts of changes; undefined if their data have more than `lengthMax` characters. */
function showWithin(
  reader: Reader,
  loaded: readonly Loaded[],
  payload: Payload,
  lengthMax: number,
): string[] | undefined {
  const nameActor = actorNamer(reader)
  const data = payload === 'full' ? allData(reader, loaded, lengthMax) : new Map<number, string | null>()
  if (!data) return undefined
  return loaded.map(({ change }) => {
    const { seq, type, resource, recordId, at, requestId, previous } = change
    const actor = nameActor(change.actor)
    const former = previous === null ? {} : formerOf(previous)
    const head = {
      ...{ seq, id: idOf(change), type, resource, record_id: recordId, at, actor, request_id: requestId },
      ...{ cause: causeOf(change, actor), changed: Object.keys(former) },
    }
    if (payload === 'ids') return JSON.stringify(head)
    const shownPrevious = previous === null || type.endsWith('.restored') ? null : former
    const text = JSON.stringify({ ...head, previous: shownPrevious })
    return `${text.slice(0, -1)},"data":${data.get(seq) ?? 'null'}}`
  })
}

/** A change that hides a message or its file, for those who saw it before. */
export function showHidden(change: StoredChange, payload: Payload): string {
  const { seq, resource, recordId, at } = change
  const head = { seq, id: idOf(change), type: `${resource}.deleted`, resource, record_id: recordId, at }
  const nothing = { actor: null, request_id: null, cause: null, changed: [] }
  return JSON.stringify({ ...head, ...nothing, ...(payload === 'full' && { previous: null, data: null }) })
}

/** The text of a change for those who did not see the record before. */
export function showRevealed({ resource }: StoredChange, text: string): string {
  const shown = parseExact(text) as Record<string, unknown>
  const previous = Object.hasOwn(shown, 'previous') && { previous: null }
  return JSON.stringify({ ...shown, type: `${resource}.updated`, changed: [], ...previous })
}

function allData(reader: Reader, loaded: readonly Loaded[], lengthMax: number): Map<number, string | null> | undefined {
  const data = new Map<number, string | null>()
  let length = 0
  for (const [resource, of] of Map.groupBy(loaded, (each) => each.resource)) {
    const changes = of.map(({ change }) => change).sort((a, b) => a.seq - b.seq)
    const found = dataOf(resource, reader, changes, lengthMax - length)
    if (!found) return undefined
    for (const [seq, text] of found) {
      data.set(seq, text)
      length += text?.length ?? 0
    }
  }
  return data
}

/** The former values that readers see: every change sets `updated_at`. */
export function formerOf(previous: string): Record<string, unknown> {
  const { updated_at, unshown, derived, ...former } = parseExact(previous) as Record<string, unknown>
  return former
}

/** The names of the fields whose values followed from other fields or records. */
export function derivedIn(previous: string): readonly string[] {
  return (JSON.parse(previous) as { derived?: string[] }).derived ?? []
}

/** The former values of columns that no response shows. */
export function formerUnshown(previous: string): Row {
  return (JSON.parse(previous) as { unshown?: Row }).unshown ?? {}
}

/** An import causes its changes (decision G3). */
function causeOf({ cause }: StoredChange, { type, id }: Actor): unknown {
  if (cause !== null) return JSON.parse(cause)
  return type === 'import' ? { bulk_job_id: id } : null
}

/** Returns a function that reads the author of a change. It looks up each name once. */
function actorNamer(reader: Reader): (stored: string) => NamedActor {
  const known = new Map<string, NamedActor>()
  return (stored) => {
    const actor = known.get(stored) ?? nameActor(reader, readActor(stored))
    known.set(stored, actor)
    return actor
  }
}

/** The id of a change: a UUIDv7 of its time, record and number, so it need not be stored. */
function idOf({ atMs, recordId, seq }: StoredChange): string {
  const bytes = Buffer.from(hash('sha256', `${recordId} ${seq}`, 'buffer').subarray(0, 16))
  bytes.writeUIntBE(atMs, 0, 6)
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  return unpackUuid(bytes)
}
