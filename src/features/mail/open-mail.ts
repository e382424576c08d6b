import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Contents } from '../../content/contents.ts'
import type { AllowedDestination } from '../../lib/setting-kinds.ts'
import type { Mailroom } from '../../mail/mailroom.ts'
import { OutcomeCounts } from '../../mail/outcome-counts.ts'
import { mailReader } from '../../mail/read-mail.ts'
import type { Store } from '../../store/store.ts'
import { Destinations } from '../webhooks/transport/destinations.ts'
import { followSources } from './imap/follow-sources.ts'
import { MailSpool } from './spool.ts'

export interface Mail {
  readonly room: Mailroom
  readonly spool: MailSpool
  /** Begins to deliver what waits in the spool, and to read mailboxes. */
  start(): Promise<void>
  stop(): Promise<void>
}

interface MailSetting {
  store: Store
  contents: Contents
  /** Of its addresses; undefined: it has none. */
  domain: string | undefined
  /** As host:port; default: those of the machine. */
  dns?: string | undefined
  /** Where messages wait and are read: `in` and `work` in it. */
  directory: string
  /** Where mailboxes may be besides public addresses. */
  allowed: readonly AllowedDestination[]
}

/** What a server needs that takes mail. It costs nothing until mail arrives. */
export function openMail({ store, contents, domain, dns, directory, allowed }: MailSetting): Mail {
  const workDirectory = join(directory, 'work')
  const room: Mailroom = { domain, reader: mailReader({ dns }), workDirectory, counts: new OutcomeCounts() }
  const spool = new MailSpool(join(directory, 'in'), { store, contents, mail: room })
  let sources: ReturnType<typeof followSources> | undefined
  return {
    room,
    spool,
    async start() {
      await rm(workDirectory, { recursive: true, force: true })
      await spool.start()
      sources = followSources({ store, contents, mail: room, destinations: new Destinations(allowed, { dns }) })
    },
    async stop() {
      await sources?.stop()
      await spool.stop()
      await room.reader.stop()
    },
  }
}
