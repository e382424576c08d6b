import { createReadStream } from 'node:fs'
import type { Contents, Received } from '../../content/contents.ts'
import type { ReadAttachment } from '../../mail/read-mail.ts'
import type { Reader, Run, Writer } from '../../store/reader.ts'
import { claim, endClaim, markUnused, useClaim } from '../files/content-names.ts'
import { removeErased } from '../files/erase.ts'

/** Content of a message in the contents of a workspace. */
interface KeptContent {
  readonly sha256: string
  readonly bytes: number
}

/** The raw message and its attachments, in the order of the mail. */
export interface Kept {
  readonly original: KeptContent
  readonly attachments: readonly KeptContent[]
}

interface Keeping {
  contents: Contents
  workspaceId: number
  reader: Reader
  file: string
  attachments: readonly ReadAttachment[]
  /** Names the delivery while its content is not part of a record. */
  claimId: string
  /** Runs a transaction before or after that of the record. */
  prepare: (run: Run<void>) => Promise<unknown>
  /** Runs a transaction that takes back what `prepare` has done. */
  release: (run: Run<void>) => Promise<unknown>
  /** Throws PLAN_LIMIT_EXCEEDED. */
  requireRoom: (tx: Writer, kept: Kept) => void
}

/**
 * Stores the content of a message, then runs `record`, which refers to it in a transaction that ends the claims (`endClaims`). Without a
 * record, nothing of it stays.
 */
export async function withContent<T>(keeping: Keeping, record: (kept: Kept) => Promise<T>): Promise<T> {
  const { contents, workspaceId, file, attachments, claimId, prepare, requireRoom } = keeping
  const received: Received[] = []
  let claimed: string[] = []
  const stored = new Set<string>()
  try {
    for (const path of [file, ...attachments.map((each) => each.file)]) {
      received.push(await contents.receive(partsOf(path), Number.POSITIVE_INFINITY))
    }
    const [original, ...parts] = received.map(({ sha256, bytes }) => ({ sha256, bytes }))
    const kept: Kept = { original: original!, attachments: parts }
    const digests = digestsOf(kept)
    await prepare((tx) => {
      requireRoom(tx, kept)
      for (const sha256 of digests) claim(tx, sha256, claimId)
    })
    claimed = digests
    for (const each of received) {
      await each.keep(workspaceId)
      stored.add(each.sha256)
    }
    return await record(kept)
  } catch (error) {
    if (claimed.length > 0) await forget(keeping, claimed, stored).catch(() => {}) // the sweep removes it
    throw error
  } finally {
    for (const each of received) await each.discard()
  }
}

/** The file is opened when its first part is asked for: the error of a stream that nobody reads yet would end the process. */
async function* partsOf(path: string): AsyncIterable<Buffer> {
  yield* createReadStream(path)
}

/** The bytes that count for the plan. */
export function bytesOf({ original, attachments }: Kept): number {
  return [original, ...attachments].reduce((sum, { bytes }) => sum + bytes, 0)
}

function digestsOf({ original, attachments }: Kept): string[] {
  return [...new Set([original, ...attachments].map(({ sha256 }) => sha256))]
}

/** Ends the claims of a delivery. What no record refers to by then is removed in the background. Throws SERVICE_UNAVAILABLE as `useClaim`. */
export function endClaims(tx: Writer, kept: Kept, claimId: string): void {
  for (const sha256 of digestsOf(kept)) {
    useClaim(tx, sha256, claimId)
    markUnused(tx, sha256)
  }
}

/**
 * Ends the claims of a delivery that has failed, and removes what it has stored unless something else relies on it. What storing may have left
 * while S3 gave no answer is for the sweep: a removal on its way could take what the next attempt stores.
 */
async function forget(
  { contents, workspaceId, reader, claimId, release }: Keeping,
  claimed: readonly string[],
  stored: ReadonlySet<string>,
): Promise<void> {
  await release((tx) => {
    for (const sha256 of claimed) {
      endClaim(tx, sha256, claimId)
      if (stored.has(sha256)) markUnused(tx, sha256)
    }
  })
  await removeErased({ contents, workspaceId, reader, write: release })
}
