import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { matchLater } from '../../../src/features/mail/match-later.ts'
import { type ApiResponse, type Client, send } from '../../support/client.ts'
import type { JsonRecord } from '../../support/make.ts'
import { caughtUpBy } from '../../support/readers.ts'
import { type Server, type StartOptions, start } from '../../support/start.ts'
import type { Visitor } from '../../support/visitor.ts'

export const mailDomain = 'in.kontor.example'

/** A server that takes mail. */
export function startWithMail(t: Pick<TestContext, 'after'>, options: StartOptions = {}): Promise<Server> {
  return start(t, { ...options, limits: { mailDomain, ...options.limits } })
}

/** Creates an address, by default that of the company. */
export async function newAddress(client: Client, body: Record<string, unknown> = {}): Promise<JsonRecord> {
  const { body: made } = await client.post('/api-v1-mail-addresses', { kind: 'company', ...body })
  return made.data
}

/** Waits until contacts that are created now get the messages that have arrived as a part of the request that creates them. */
export function untilMatching(server: Server): Promise<unknown> {
  return caughtUpBy(matchLater, server)
}

/** The headers of a raw message that differ from those of one of Grace to Sales; null leaves one out. */
export type MailHeaders = Record<string, string | null>

export function rawMail(headers: MailHeaders = {}, body = 'We would like 200 hampers.\r\n'): string {
  const all: MailHeaders = {
    From: 'Grace Hopper <grace@navy.example>',
    To: 'Sales <sales@kontor.example>',
    Subject: 'Hampers',
    Date: 'Mon, 23 Nov 2026 10:44:00 +0100',
    'Message-ID': `<${randomUUID()}@navy.example>`,
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}\r\n`]))
  return `${lines.join('')}\r\n${body}`
}

/** Delivers a raw message by the door for keys. */
export function deliverMail(
  client: Client,
  address: string,
  raw: string | Buffer = rawMail(),
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  return client.request('POST', `/api-v1-messages?address=${encodeURIComponent(address)}`, {
    headers: { 'Content-Type': 'message/rfc822', ...headers },
    body: raw as string,
  })
}

/** A message with a text and an attachment. */
export function mailWithFile(name: string, content: string, headers: MailHeaders = {}): string {
  const parts = [
    '--b\r\nContent-Type: text/plain\r\n\r\nSee the file.\r\n',
    `--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename="${name}"\r\n`,
    `Content-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString('base64')}\r\n--b--\r\n`,
  ]
  return rawMail({ 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary=b', ...headers }, parts.join(''))
}

/** The same as a signed-in user. */
export function deliverAs(
  { url }: Pick<Server, 'url'>,
  { cookie }: Visitor,
  address: string,
  raw: string,
): Promise<ApiResponse> {
  return send(`${url}/api-v1-messages?address=${encodeURIComponent(address)}`, {
    method: 'POST',
    headers: { 'Content-Type': 'message/rfc822', 'Kontor-Environment': 'live', Cookie: cookie! },
    body: raw,
  })
}
