import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Client, clientFor } from '../../support/client.ts'
import { firstClient } from '../../support/prepare.ts'
import { bundle, launch, type Process } from '../../support/program.ts'
import { sendMail } from './smtp/door.ts'

export const mailArgs = ['--mail-domain', 'in.example.com', '--smtp-listen', '127.0.0.1:0']

/** A built server that takes mail. */
export interface MailServer {
  server: Process
  url: string
  /** The URL of its SMTP door. */
  smtp: string
  client: Client
}

interface Serving {
  args?: string[]
  env?: NodeJS.ProcessEnv
  /** Default: a new one. */
  key?: Client
}

/** Starts the built server on a data directory, which is made if it is missing. */
export async function serveMail(
  t: Pick<TestContext, 'after'>,
  data: string,
  { args = [], env = {}, key }: Serving = {},
): Promise<MailServer> {
  const { keyId, key: secret } = key ?? (await firstClient(data, ''))
  const serve = ['serve', '--data', data, '--port', '0', '--rate-limits', 'off', '--request-log', 'off']
  const server = await launch(t, bundle, [...serve, ...mailArgs, ...args], { env, stderr: 'pipe' })
  const { url, smtp } = server.first as { url: string; smtp: string }
  return { server, url, smtp, client: clientFor(url, { id: keyId, key: secret }) }
}

/** Creates the address of the company, or returns the one that there is. */
export async function companyAddress(client: Client): Promise<string> {
  const { status, body } = await client.post('/api-v1-mail-addresses', { kind: 'company' })
  assert.ok(status === 201 || status === 200, JSON.stringify(body))
  return body.data.address
}

/** All messages that the key may see. */
export async function allMessages(client: Client): Promise<{ id: string; subject: string }[]> {
  const messages: { id: string; subject: string }[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { body } = await client.get(`/api-v1-messages?limit=100&page=${page}`)
    messages.push(...body.data)
    pages = body.pagination.total_pages
  }
  return messages
}

export type MailDoor = 'smtp' | 'api' | 'mail-in'
export const mailDoors: readonly MailDoor[] = ['smtp', 'api', 'mail-in']

/** Hands a raw message to a door. Returns the status, or SMTP's code. */
export async function handIn(
  { url, smtp, client }: MailServer,
  door: MailDoor,
  address: string,
  raw: string,
): Promise<number> {
  if (door === 'smtp') {
    const sent = await sendMail(smtp, { raw, envelope: { from: 'ann@example.org', to: address } }).catch(
      (error) => error,
    )
    return sent.responseCode ?? Number(sent.response.slice(0, 3))
  }
  const path = door === 'api' ? '/api-v1-messages' : '/mail/in'
  const headers = { 'Content-Type': 'message/rfc822', ...(door === 'api' && { Authorization: `Bearer ${client.key}` }) }
  const given = { method: 'POST', body: Buffer.from(raw, 'latin1'), headers }
  const response = await fetch(`${url}${path}?address=${encodeURIComponent(address)}`, given)
  await response.text()
  return response.status
}

/** A raw message with a name of its own, from somebody whom nobody knows. */
export function rawMail(name: string, text = `This is ${name}.`): string {
  const head = [
    'From: Ann <ann@example.org>',
    'To: sales@example.com',
    `Subject: ${name}`,
    'Date: Thu, 26 Nov 2026 10:00:00 +0000',
    `Message-ID: <${name}@example.org>`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${text}\r\n`
}

/** The files of mails that wait, or that have not arrived completely. */
export function spooledIn(data: string): string[] {
  const directory = join(data, 'mail')
  if (!existsSync(directory)) return []
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
