import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mailroom } from '../mail/mailroom.ts'
import { OutcomeCounts } from '../mail/outcome-counts.ts'
import { mailReader } from '../mail/read-mail.ts'
import type { SandboxConfig } from './instance.ts'

/** The domain of addresses, unless `--mail-domain` names another one. */
const domainDefault = 'in.sandbox.example'
/** Nobody answers there, so that the same mail is always unverified; `--dns` names a resolver. */
const noResolver = '127.0.0.1:9'

/** What the worlds of a sandbox have for mail that is delivered with a key. It costs nothing until mail arrives. */
export function openSandboxMail({ mailDomain, dns }: SandboxConfig): { room: Mailroom; close(): Promise<void> } {
  const workDirectory = join(tmpdir(), `kontor-sandbox-${randomUUID()}`)
  const reader = mailReader({ dns: dns ?? noResolver })
  return {
    room: {
      ...{ domain: mailDomain ?? domainDefault, smtp: false, isKeyOnly: true, reader, workDirectory },
      counts: new OutcomeCounts(),
    },
    async close() {
      await reader.stop()
      await rm(workDirectory, { recursive: true, force: true })
    },
  }
}
