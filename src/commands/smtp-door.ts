import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Contents } from '../content/contents.ts'
import { OperatorError } from '../errors.ts'
import { deliver } from '../features/mail/deliver.ts'
import { lookupMailAddress } from '../features/mail/lookup-address.ts'
import type { OutcomeCounts } from '../features/mail/outcome-counts.ts'
import type { SmtpDoor } from '../features/mail/smtp/door.ts'
import { isOperatorTest } from '../features/mail/test-token.ts'
import { watchCertificate } from '../http/tls.ts'
import type { Mailroom } from '../mail/mailroom.ts'
import type { Store } from '../store/store.ts'

type MailConfig = Pick<Config, 'mailDomain' | 'smtpListen' | 'log' | 'files' | 'tlsCert' | 'tlsKey' | 'data'>

/** Throws OperatorError if the SMTP door cannot be opened with these settings. */
export function requireMailSettings({ mailDomain, smtpListen, log, files }: MailConfig): void {
  if (smtpListen === undefined) return
  if (mailDomain === undefined) throw new OperatorError('--smtp-listen needs --mail-domain.')
  if (log !== undefined && files === undefined) {
    throw new OperatorError('--smtp-listen with --log needs --files: servers that share a log keep mail in S3.')
  }
}

/** The SMTP door of a server that takes mail, not open yet. */
export async function createSmtpDoor(
  { mailDomain: domain, tlsCert: cert, tlsKey: key, data }: MailConfig,
  { store, contents, mail, counts }: { store: Store; contents: Contents; mail: Mailroom; counts: OutcomeCounts },
): Promise<SmtpDoor> {
  const { SmtpDoor } = await import('../features/mail/smtp/door.ts') // not loaded without it
  const certificate = (renewed: (options: { key: string; cert: string }) => void) =>
    watchCertificate({ cert: cert!, key: key! }, renewed).options
  return new SmtpDoor({
    domain: domain!,
    directory: join(data, 'mail', 'smtp'),
    exists: (address) => lookupMailAddress(store.access, address) !== undefined,
    requireWritable: store.requireWritable,
    isTest: (head) => isOperatorTest(store.access, head, store.clock.now()),
    certificate: cert === undefined ? undefined : certificate,
    async deliver(arrival) {
      const delivered = await deliver({ store, contents, mail }, { door: 'smtp', ...arrival })
      if (!arrival.dryRun) for (const { outcome } of delivered) counts.note('smtp', outcome)
      return delivered
    },
  })
}
