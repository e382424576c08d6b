import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { kontor, serving, start, stop } from './processes.ts'
import { newOrganization, peakMiB, send, uploads } from './uploads.ts'

const mails = 200
const clients = 20
const MiB = 2 ** 20
/** The pauses of a client that is to come later: each is twice as long as the one before, up to the last. */
const firstPauseMs = 250
const lastPauseMs = 4_000
/** One mail in ten has an attachment. */
const attachmentBytes = 5 * MiB

/** The largest resident memory of a server beside 200 mails by SMTP and 50 uploads of 25 MiB at once. Expected: at most 400 MiB. */
export async function benchMails(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const company = kontor('company', 'create', '--name', 'Acme', '--data', data).id!
  const given = ['--company', company, '--name', 'First', '--scopes', 'admin:all', '--data', data]
  const key = kontor('key', 'create', ...given).key!
  const doors = ['--mail-domain', 'in.example.com', '--smtp-listen', '127.0.0.1:0']
  const command = serving(data, ...doors)
  const env = { KONTOR_RATE_LIMITS: 'off', KONTOR_REQUEST_LOG: 'off' }
  const { child, first } = await start(`0-${availableParallelism() - 1}`, command, env)
  try {
    const address = await newAddress(first.url, key)
    const organizationId = await newOrganization(first.url, key)
    const idle = peakMiB(child.pid!)
    const beganMs = performance.now()
    const sending = Promise.all(
      Array.from({ length: clients }, (_, client) => sendMails((first as { smtp?: string }).smtp!, address, client)),
    )
    const uploading = Array.from({ length: uploads }, (_, at) =>
      send(`${first.url}/api-v1-files?name=${at}&organization_id=${organizationId}`, key, at),
    )
    const stored = (await Promise.all(uploading)).filter((status) => status === 201).length
    const accepted = (await sending).flat().filter((code) => code === '250').length
    const seconds = ((performance.now() - beganMs) / 1_000).toFixed(1)
    console.log(
      `${accepted} of ${mails} mails and ${stored} of ${uploads} uploads stored in ${seconds} s; resident: ${idle} MiB before, at most ${peakMiB(child.pid!)} MiB`,
    )
  } finally {
    await stop(child)
    rmSync(data, { recursive: true })
  }
}

/** Creates the address of a company. */
export async function newAddress(url: string, key: string): Promise<string> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ kind: 'company' })
  const response = await fetch(`${url}/api-v1-mail-addresses`, { method: 'POST', headers, body })
  return ((await response.json()) as { data: { address: string } }).data.address
}

/** Sends the mails of a client, from an address of its own, since each address may have ten connections. Returns the codes. */
async function sendMails(url: string, to: string, client: number): Promise<string[]> {
  const { hostname: host, port } = new URL(url)
  const localAddress = `127.0.0.${2 + client}`
  const content = Buffer.alloc(attachmentBytes, `client ${client}`)
  const sent = Array.from({ length: mails / clients }, async (_, at) => {
    const transport = createTransport({ host, port: Number(port), ignoreTLS: true, localAddress })
    const attachments = at === 0 ? [{ filename: 'offer.pdf', content }] : []
    const mail = { from: 'ann@example.org', to, subject: `${client} ${at}`, text: 'Hello', attachments }
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, lastPauseMs)) {
      const { response, code } = await transport.sendMail(mail).catch((error) => error)
      const reply = String(response ?? code).slice(0, 3)
      if (!reply.startsWith('4')) return reply
      await delay(pauseMs) // too many connections: mail servers try again, too
    }
  })
  return Promise.all(sent)
}
