import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createTransport, type SendMailOptions, type SentMessageInfo } from 'nodemailer'
import { type SmtpBounds, smtpBounds } from '../../../../src/features/mail/smtp/bounds.ts'
import { SmtpDoor } from '../../../../src/features/mail/smtp/door.ts'
import type { Arrival, Deliver } from '../../../../src/features/mail/smtp/receive.ts'
import { temporaryDirectory } from '../../../support/directory.ts'
import { openRaw, type RawConnection } from '../../../support/raw.ts'

export const domain = 'in.example.com'
export const address = `known@${domain}`

/** A message that a test's door has taken. */
export interface Taken extends Arrival {
  raw: string
}

export interface TestDoor {
  url: string
  door: SmtpDoor
  taken: Taken[]
  /** How many messages are in the spool. */
  spooled(): number
}

type Given = Partial<ConstructorParameters<typeof SmtpDoor>[0]> & { limits?: Partial<SmtpBounds> }

/** Opens a door for `known@in.example.com` and `other@…` that stores everything, unless the test says otherwise. */
export async function openDoor(t: Pick<TestContext, 'after'>, { limits, ...given }: Given = {}): Promise<TestDoor> {
  const directory = temporaryDirectory(t)
  const taken: Taken[] = []
  const store: Deliver = async ({ addresses }) => addresses.map(() => ({ outcome: 'stored', reason: null }))
  const { deliver = store } = given
  const door = new SmtpDoor({
    ...{ domain, directory, requireWritable: () => {} },
    takes: (asked) => [address, `other@${domain}`].includes(asked),
    ...given,
    bounds: { ...smtpBounds, ...limits },
    deliver: (arrival) => {
      taken.push({ ...arrival, raw: readFileSync(arrival.file, 'latin1') })
      return deliver(arrival)
    },
  })
  const url = await door.open({ host: '127.0.0.1', port: 0 })
  t.after(() => door.close(0))
  const spool = join(directory, 'unfinished')
  return { url, door, taken, spooled: () => (existsSync(spool) ? readdirSync(spool).length : 0) }
}

/** Sends a mail as programs do. Rejects with `responseCode` of a negative reply. */
export function sendMail(url: string, mail: SendMailOptions, options: object = {}): Promise<SentMessageInfo> {
  const { hostname: host, port } = new URL(url)
  const transport = createTransport({ host, port: Number(port), ignoreTLS: true, ...options })
  return transport.sendMail({ from: 'ann@example.org', to: address, subject: 'Hi', text: 'Hello', ...mail })
}

/** A connection that has read the greeting and said EHLO. */
export async function hello(url: string, from?: string): Promise<RawConnection> {
  const connection = openRaw(url, from)
  await connection.until('220 ')
  connection.write('EHLO client.example\r\n')
  await connection.until('250 SIZE')
  return connection
}

/** A connection whose server waits for a message. */
export async function atData(url: string): Promise<RawConnection> {
  const connection = await hello(url)
  connection.write(`MAIL FROM:<ann@example.org>\r\nRCPT TO:<${address}>\r\nDATA\r\n`)
  await connection.until('354 ')
  return connection
}
