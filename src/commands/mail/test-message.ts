import { randomUUID } from 'node:crypto'
import { testHeader } from '../../features/mail/test-token.ts'

export interface TestMessage {
  readonly address: string
  readonly from: string
  /** Proves to the server that it is a test. */
  readonly token: string
}

/** The raw message, whose lines end with CRLF and do not begin with a dot. */
export function textOf({ address, from, token }: TestMessage): string {
  const lines = [
    `${testHeader}: ${token}`,
    `From: <${from}>`,
    `To: <${address}>`,
    'Subject: Test of Kontor',
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <${randomUUID()}@${address.split('@')[1]}>`,
    'Content-Type: text/plain',
    '',
    'A test by kontor mail test. Nothing of it is stored.',
    '',
  ]
  return lines.join('\r\n')
}
