import type { SmtpSender } from '../../mail/read-mail.ts'

export const doors = ['smtp', 'http', 'imap'] as const
export type Door = (typeof doors)[number]

/** A raw message that has arrived completely. */
export interface Delivery {
  readonly door: Door
  readonly addresses: readonly string[]
  /** The path of the raw message, which is on disk. */
  readonly file: string
  readonly smtp?: SmtpSender
  /** Whether nothing is to be stored, not even in the mail log. */
  readonly dryRun?: boolean
}

export const outcomes = ['stored', 'duplicate', 'internal', 'held', 'unmatched', 'refused'] as const
export type Outcome = (typeof outcomes)[number]

/** What became of a message at an address. */
export interface Delivered {
  readonly address: string
  /** `later`: nothing is stored because something failed that may pass. */
  readonly outcome: Outcome | 'later'
  /** Why it is refused, or comes later. */
  readonly reason: string | null
  readonly messageId: string | null
  /** Whether it is not stored because the company may store no more. */
  readonly quota?: boolean
  /** Whether it comes later because of what need not pass by itself: the message can be the cause. */
  readonly isUnexpected?: boolean
}
