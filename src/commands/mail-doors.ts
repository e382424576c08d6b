import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Contents } from '../content/contents.ts'
import { OperatorError } from '../errors.ts'
import { deliver } from '../features/mail/deliver.ts'
import { followSources } from '../features/mail/imap/follow-sources.ts'
import { takesMailFor } from '../features/mail/lookup-address.ts'
import type { Mail } from '../features/mail/open-mail.ts'
import type { SmtpDoor, SmtpTls } from '../features/mail/smtp/door.ts'
import { isOperatorTest } from '../features/mail/test-token.ts'
import { Destinations } from '../features/webhooks/transport/destinations.ts'
import type { MailMeasures } from '../http/mail-metrics.ts'
import type { Store } from '../store/store.ts'

type MailConfig = Pick<
  Config,
  'mailDomain' | 'smtpListen' | 'dns' | 'webhookAllow' | 'log' | 'files' | 'tlsCert' | 'tlsKey' | 'data' | 'drainMsMax'
>

export interface MailDoors extends Omit<Mail, 'start' | 'spool'> {
  /** Undefined: there are no addresses. */
  readonly spool: Mail['spool'] | undefined
  readonly measures: MailMeasures
  /** Begins to deliver what waits, and to read mailboxes. */
  deliver(): Promise<void>
  /** Begins to take mail by SMTP, if the operator has chosen an address. Returns the URL. Throws OperatorError. */
  listen(): Promise<string | undefined>
  /** Finishes what arrives by SMTP. */
  drain(): Promise<void>
}

/** Throws OperatorError if the SMTP door cannot be opened with these settings. */
export function requireMailSettings({ mailDomain, smtpListen, log, files }: MailConfig): void {
  if (smtpListen === undefined) return
  if (mailDomain === undefined) throw new OperatorError('--smtp-listen needs --mail-domain.')
  if (log !== undefined && files === undefined) {
    throw new OperatorError('--smtp-listen with --log needs --files: servers that share a log keep mail in S3.')
  }
}

/** What a server needs to take mail; undefined: it cannot keep any. It costs nothing until mail arrives. */
export async function openMailDoors(
  config: MailConfig,
  { store, contents }: { store: Store; contents: Contents | undefined },
): Promise<MailDoors | undefined> {
  const { mailDomain: domain, smtpListen, dns, webhookAllow: allowed, data, drainMsMax } = config
  if (!contents) return undefined
  const { openMail } = await import('../features/mail/open-mail.ts')
  const mail = openMail({ store, contents, domain, smtp: smtpListen !== undefined, dns, directory: join(data, 'mail') })
  let mailboxes: ReturnType<typeof followSources> | undefined
  const door = smtpListen && (await createSmtpDoor(config, { store, contents, mail }))
  return {
    ...mail,
    spool: domain === undefined ? undefined : mail.spool,
    measures: { connections: () => door?.connections ?? 0, counts: () => mail.room.counts.all() },
    async deliver() {
      await mail.start()
      mailboxes = followSources({ store, contents, mail: mail.room, destinations: new Destinations(allowed, { dns }) })
    },
    async stop() {
      await mailboxes?.stop()
      await mail.stop()
    },
    listen: async () => door?.open(smtpListen!),
    drain: async () => door?.close(drainMsMax),
  }
}

async function createSmtpDoor(
  { mailDomain: domain, tlsCert: cert, tlsKey: key, data }: MailConfig,
  { store, contents, mail }: { store: Store; contents: Contents; mail: Mail },
): Promise<SmtpDoor> {
  const { SmtpDoor } = await import('../features/mail/smtp/door.ts')
  const { watchCertificate } = await import('../http/tls.ts')
  const certificate = (renewed: (options: SmtpTls) => void) =>
    watchCertificate({ cert: cert!, key: key! }, renewed).options
  return new SmtpDoor({
    domain: domain!,
    directory: join(data, 'mail', 'smtp'),
    takes: (address) => takesMailFor(store.access, address),
    requireWritable: store.requireWritable,
    isTest: (head) => isOperatorTest(store.access, head, store.clock.now()),
    certificate: cert === undefined ? undefined : certificate,
    deliver: (arrival) => deliver({ store, contents, mail: mail.room }, { door: 'smtp', ...arrival }),
  })
}
