import type { OutcomeCounts } from './outcome-counts.ts'
import type { MailReader } from './read-mail.ts'

/** What a server that takes mail has for it. */
export interface Mailroom {
  /** The domain of its addresses, in lower case; undefined: it has none. */
  readonly domain: string | undefined
  /** Whether it takes mail by SMTP. */
  readonly smtp: boolean
  /** Whether mail comes with a key alone: by no other door, and from no mailbox. */
  readonly isKeyOnly: boolean
  readonly reader: MailReader
  /** A directory for what is being read, which nothing survives. */
  readonly workDirectory: string
  readonly counts: OutcomeCounts
}
