import { ApiError } from '../errors.ts'
import type { MailAnswer, ReadHow } from './mail.ts'
import { MailThread } from './mail-thread-handle.ts'

export type { Address, MailAnswer, ReadAttachment, ReadMail, SmtpSender } from './mail.ts'

export interface MailReader {
  /**
   * Reads the raw message in a file. Nothing in a mail makes it throw: `refused` is an answer, after which nothing is left in the work
   * directory. Throws SERVICE_UNAVAILABLE if too much mail waits, or after `stop`.
   */
  read(file: string, how: ReadHow): Promise<MailAnswer>
  stop(): Promise<void>
}

interface MailReaderOptions {
  /** The resolver, as host:port. Default: the system's. */
  readonly dns?: string | undefined
  /** How long parsing may take. Default: 10 s. */
  readonly parseMsMax?: number | undefined
  /** How long the thread is kept without work. Default: 30 s. */
  readonly idleMs?: number | undefined
}

/** How many mails wait. */
const waitingMax = 1_000
const parseMsMaxDefault = 10_000
const idleMsDefault = 30_000

/** Starts its thread at the first mail, and ends it when idle. */
export function mailReader({
  dns,
  parseMsMax = parseMsMaxDefault,
  idleMs = idleMsDefault,
}: MailReaderOptions): MailReader {
  const thread = new MailThread({ dns, parseMsMax, idleMs })
  return {
    read: (file, how) => {
      if (thread.waiting >= waitingMax) {
        const headers = { 'Retry-After': '30' }
        const message = 'Too many messages are being read: try again later'
        return Promise.reject(new ApiError('SERVICE_UNAVAILABLE', message, { headers }))
      }
      return thread.read(file, how)
    },
    stop: () => thread.stop(),
  }
}
