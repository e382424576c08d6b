import { ApiError } from '../../../errors.ts'

/** A negative reply. 4xx: the client tries again later; 5xx: it tells the sender. */
export class Refusal extends Error {
  readonly responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}

/** What became of a message at one of its addresses. */
export interface Delivered {
  readonly outcome: 'stored' | 'duplicate' | 'internal' | 'held' | 'unmatched' | 'refused' | 'later'
  readonly reason: string | null
  /** Whether it is not stored because the company may store no more. */
  readonly quota?: boolean
}

/** The one reply for all addresses of a message. Sending it again is a duplicate where it has arrived. Throws Refusal. */
export function replyTo(delivered: readonly Delivered[], isTest: boolean): string {
  const failed = delivered.find(({ outcome, quota }) => outcome === 'later' && !quota)
  if (failed) throw new Refusal(451, failed.reason ?? 'The message was not stored, try again later')
  const full = delivered.find(({ quota }) => quota)
  if (full) throw new Refusal(452, full.reason ?? "The company's storage is used up")
  if (delivered.every(({ outcome }) => outcome === 'refused')) {
    throw new Refusal(554, delivered[0]?.reason ?? 'The message was refused')
  }
  if (!isTest) return 'OK: the message is stored'
  return `OK: a test, nothing is stored; the outcome would be ${delivered.map(({ outcome }) => outcome).join(', ')}`
}

/** The reply to a failure: what is not refused may pass. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  return new Refusal(451, error instanceof ApiError ? error.message : 'The message was not stored, try again later')
}
