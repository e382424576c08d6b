import type { MailAnswer } from './mail.ts'

// Decision P8.

export const rawBytesMax = 40 * 1_048_576
export const attachmentsMax = 100
export const headerLinesMax = 1_000
/** How deep parts are inside one another. */
export const levelsMax = 20
/** The length of a header. */
export const headBytesMax = 1_048_576
/** The length of the text of a message, in UTF-16 units. */
export const textMax = 100_000
/** What is decoded of the bodies of a message; the rest counts for its identity only. */
export const bodyBytesMax = 4 * 1_048_576
/** The length of the HTML of a message that is shown, in UTF-16 units, before and after it is sanitized. */
export const htmlMax = 2 * 1_048_576
/** How deep elements are inside one another. Sanitizing takes time by the square of it. */
export const elementLevelsMax = 500
export const addressesMax = 1_000
export const referencesMax = 100
/** The length of a Message-ID. */
export const messageIdMax = 998
/** The signatures that are looked at, and the length of each. Checking one takes time by the square of it. */
export const signaturesMax = 5
export const signatureBytesMax = 8_192
/** The length of a record of a name server, for the same reason. */
export const recordLengthMax = 4_096

/** A message that is refused. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: 'TOO_LARGE' | 'MALFORMED'

  constructor(message: string, code: 'TOO_LARGE' | 'MALFORMED' = 'MALFORMED') {
    super(message)
    this.code = code
  }

  get answer(): MailAnswer {
    return { refused: this.message, code: this.code }
  }
}
