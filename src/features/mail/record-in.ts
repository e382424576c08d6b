import type { Contents } from '../../content/contents.ts'
import { requireStorage } from '../../crm/storage.ts'
import { ApiError } from '../../errors.ts'
import type { Reader, Run, Writer } from '../../store/reader.ts'
import { removeErased } from '../files/erase.ts'
import { bytesOf, endClaims, type Kept, withContent } from './kept-content.ts'
import { requirePlaces } from './lookup-address.ts'
import { type Arrival, addPlaces, insertArrival, lookupKnown, type Result } from './record-message.ts'

/** Where a message is recorded. */
interface Workplace {
  readonly contents: Contents
  readonly workspaceId: number
  readonly reader: Reader
  /** The path of the raw message. */
  readonly file: string
  /** Runs a transaction before or after that of the record. */
  readonly prepare: (run: Run<void>) => Promise<unknown>
  /** Runs a transaction that takes back what `prepare` has done. */
  readonly release: (run: Run<void>) => Promise<unknown>
}

/**
 * Records a message once. `commit` runs the transaction, and gets a function that makes the record in it. Throws PLAN_LIMIT_EXCEEDED,
 * SERVICE_UNAVAILABLE.
 */
export async function recordIn<T>(
  { contents, workspaceId, reader, file, prepare, release }: Workplace,
  arrival: Arrival,
  commit: (record: (tx: Writer) => Result) => Promise<T>,
): Promise<T> {
  let isKnown = false
  await prepare((tx) => {
    isKnown = lookupKnown(tx.unrestricted, arrival) !== undefined
  })
  if (isKnown) return commit((tx) => recordKnown(tx.unrestricted, arrival))
  const claimId = crypto.randomUUID()
  const { attachments } = arrival.recorded.mail
  let isUsed = true
  const result = await withContent(
    { contents, workspaceId, reader, file, attachments, claimId, prepare, release, requireRoom },
    (kept) =>
      commit((tx) => {
        const made = record(tx.unrestricted, arrival, kept)
        endClaims(tx, kept, claimId)
        isUsed = made.outcome !== 'duplicate' && made.outcome !== 'internal'
        return made
      }),
  )
  if (!isUsed) await removeErased({ contents, workspaceId, reader, write: release })
  return result
}

/** Makes the record of a message, or adds to the one that there is. Throws PLAN_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE. */
export function record(tx: Writer, arrival: Arrival, kept: Kept): Result {
  if (lookupKnown(tx, arrival)) return recordKnown(tx, arrival)
  requirePlaces(tx, arrival.places)
  requireRoom(tx, kept) // others may have arrived since its content was claimed
  return insertArrival(tx, arrival, kept)
}

/** Throws SERVICE_UNAVAILABLE, also if the message has become a new one, because its content is not stored. */
function recordKnown(tx: Writer, arrival: Arrival): Result {
  requirePlaces(tx, arrival.places)
  const known = lookupKnown(tx, arrival)
  if (!known)
    throw new ApiError('SERVICE_UNAVAILABLE', 'The message has changed: try again', { headers: { 'Retry-After': '1' } })
  if (known.messageId !== null) addPlaces(tx, known.messageId, arrival)
  return known
}

/** Throws PLAN_LIMIT_EXCEEDED (decision O5). */
function requireRoom(tx: Writer, kept: Kept): void {
  const sql = `SELECT max_storage_bytes FROM workspace JOIN company ON company.id = company_id
    JOIN plan ON plan.name = company.plan WHERE workspace.id = :workspace`
  requireStorage(tx, { max_storage_bytes: tx.value<number | null>(sql) ?? null }, bytesOf(kept))
}
