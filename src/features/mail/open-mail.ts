import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Contents } from '../../content/contents.ts'
import type { Mailroom } from '../../mail/mailroom.ts'
import { OutcomeCounts } from '../../mail/outcome-counts.ts'
import { mailReader } from '../../mail/read-mail.ts'
import type { Store } from '../../store/store.ts'
import { type Give, MailSpool } from './spool.ts'
import { spoolIn } from './spool-files.ts'

export interface Mail {
  readonly room: Mailroom
  readonly spool: MailSpool
  /** Begins to deliver what waits in the spool. */
  start(): Promise<void>
  /** Until then, gives away what waits. */
  giveAway(give: Give): Promise<void>
  stop(): Promise<void>
}

interface MailSetting {
  store: Store
  contents: Contents
  /** Of its addresses; undefined: it has none. */
  domain: string | undefined
  /** Whether it takes mail by SMTP; default: no. */
  smtp?: boolean
  /** As host:port; default: those of the machine. */
  dns?: string | undefined
  /** Where messages wait and are read: `in` and `work` in it. */
  directory: string
}

/** What a server needs that takes mail. It costs nothing until mail arrives. */
export function openMail({ store, contents, domain, smtp = false, dns, directory }: MailSetting): Mail {
  const workDirectory = join(directory, 'work')
  const room: Mailroom = {
    ...{ domain, smtp, isKeyOnly: false, workDirectory },
    reader: mailReader({ dns }),
    counts: new OutcomeCounts(),
  }
  const spool = new MailSpool(spoolIn(directory), { store, contents, mail: room })
  return {
    room,
    spool,
    async start() {
      await rm(workDirectory, { recursive: true, force: true })
      await spool.start()
    },
    giveAway: (give) => spool.start(give),
    async stop() {
      await spool.stop()
      await room.reader.stop()
    },
  }
}
