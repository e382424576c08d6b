import { hourMs } from '../lib/clock.ts'
import type { FaultCounts } from './faults.ts'
import type { Removals } from './removals.ts'
import type { S3Setting } from './s3-requests.ts'

// Content is bytes that never change, named within a workspace by their SHA-256. Nothing else knows where it is stored.

/** Longer than content takes to arrive: an upload ends within an hour. In milliseconds. */
export const arrivingMsMax = 2 * hourMs

/** The name of content. */
export interface Place {
  readonly workspaceId: number
  /** In lower-case hexadecimal digits. */
  readonly sha256: string
}

/** Bytes that have arrived and belong to no workspace yet. */
export interface Received {
  readonly sha256: string
  readonly bytes: number
  /** Stores them as content of a workspace. Resolves when they are on disk, or acknowledged by S3. */
  keep(workspaceId: number): Promise<void>
  /** Makes a file with them, before they are stored. */
  putAt(path: string): Promise<void>
  /** Removes what `keep` has not stored. Never rejects. */
  discard(): Promise<void>
}

/** Content that is stored. */
export interface Found extends Place {
  readonly bytes: number
  /** When it was stored, in milliseconds by the system clock. */
  readonly storedMs: number
}

/** Where content is stored. A failure of the disk or the network is a 503. */
export interface Contents {
  readonly faults: FaultCounts
  readonly removals: Removals
  /** Takes bytes as they arrive. Throws INVALID_REQUEST (413) for more than `bytesMax`; nothing of them stays if it throws. */
  receive(source: AsyncIterable<Buffer>, bytesMax: number): Promise<Received>
  /** The length of content; undefined: it is missing. */
  lookupBytes(place: Place): Promise<number | undefined>
  /** The bytes from `begin` to before `end`, in parts. */
  read(place: Place, begin: number, end: number): AsyncIterable<Buffer>
  /** Removes content for good. Has no effect if it is missing. */
  remove(place: Place): Promise<void>
  /** Everything that is stored. */
  list(): AsyncIterable<Found>
  /** Removes what interrupted uploads have left, if it was last written before this time in milliseconds. Returns how much that was. */
  removeUnfinished(beforeMs: number): Promise<number>
}

/** What a thread needs to open the contents of its server. */
export interface ContentsSetting {
  /** Where content is, or, with S3, where it arrives. */
  readonly directory: string
  readonly s3?: S3Setting | undefined
}

const digest = /^[0-9a-f]{64}$/

/** The path of content below its root: `<workspace>/<first two digits>/<sha256>`. */
export function nameOf({ workspaceId, sha256 }: Place): string {
  if (!digest.test(sha256)) throw new Error('content is named by a SHA-256')
  return `${workspaceId}/${sha256.slice(0, 2)}/${sha256}`
}

/** Why a server has no content at all. */
export const withoutContents =
  'This server stores no files: servers that share a log need S3, which the operator sets with --files'
