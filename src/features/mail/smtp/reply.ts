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
  /** With `later`: the company's storage is used up. */
  readonly quota?: boolean
}

/** The one reply for all addresses of a message. Sending it again is a duplicate where it has arrived. Throws Refusal. */
export function replyTo(delivered: readonly Delivered[], isTest: boolean): string {
  const later = delivered.filter(({ outcome }) => outcome === 'later')
  const failed = later.find(({ quota }) => !quota)
  if (failed) throw new Refusal(451, failed.reason ?? 'The message was not stored, try again later')
  if (later[0]) throw new Refusal(452, later[0].reason ?? "The company's storage is used up")
  const refused = delivered.find(({ outcome }) => outcome === 'refused')
  if (refused && delivered.every(({ outcome }) => outcome === 'refused')) {
    throw new Refusal(554, refused.reason ?? 'The message was refused')
  }
  if (!isTest) return 'OK: the message is stored'
  return `OK: a test, nothing is stored; the outcome would be ${delivered.map(({ outcome }) => outcome).join(', ')}`
}

/** The reply to a failure: what is not refused may pass. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  return new Refusal(451, error instanceof ApiError ? error.message : 'The message was not stored, try again later')
}
