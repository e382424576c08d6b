export interface Address {
  readonly name: string | null
  /** Lower-case and valid. */
  readonly address: string
}

export interface ReadAttachment {
  /** Cleaned: what a file of Kontor may be called (decision O2). */
  readonly name: string
  readonly mediaType: string
  readonly bytes: number
  readonly sha256: string
  /** The path of a temporary file with the content, which the caller removes. */
  readonly file: string
}

export interface ReadMail {
  readonly subject: string | null
  readonly from: readonly Address[]
  readonly to: readonly Address[]
  readonly cc: readonly Address[]
  /** ISO 8601 in UTC. Null if the header is missing or no date. */
  readonly sentAt: string | null
  /** With its angle brackets. */
  readonly internetMessageId: string | null
  readonly inReplyTo: readonly string[]
  readonly references: readonly string[]
  readonly text: string
  /** Sanitized. */
  readonly html: string | null
  readonly attachments: readonly ReadAttachment[]
  /** SHA-256 over what makes two messages the same. */
  readonly identity: string
  readonly isVerified: boolean
  readonly severalFrom: boolean
  /** Of a forward, attached or inline: the message that was forwarded. Its `isVerified` is that of the outer message. */
  readonly original: ReadMail | null
  /**
   * Whether the message says that it is a forward, by its subject, its text or its lack of both. If not, `original` is merely the one
   * message that is attached: it is a forward if the outer message has no recipients besides Kontor's addresses.
   */
  readonly saysForward: boolean
}

export type MailAnswer =
  | { readonly mail: ReadMail }
  | { readonly refused: string; readonly code: 'TOO_LARGE' | 'MALFORMED' | 'TOO_SLOW' }

/** What the SMTP door knows of the sender. `mailFrom` is empty for a bounce. */
export interface SmtpSender {
  readonly remoteAddress: string
  readonly helo: string
  readonly mailFrom: string
}

export interface ReadHow {
  readonly workDirectory: string
  /** The company whose share of the places it takes. */
  readonly companyId: string
  readonly smtp?: SmtpSender | undefined
}
