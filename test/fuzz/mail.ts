import { type MailHeaders, mailWithFile, rawMail } from '../features/mail/mails.ts'
import { junkText } from './junk.ts'
import type { Draw } from './queries.ts'
import type { Tenant } from './tenant.ts'
import type { Shot } from './wire.ts'

export const mailboxesPath = '/api-v1-mail-sources'
export const addressesPath = '/api-v1-mail-addresses'
export const ignoredSendersPath = '/api-v1-mail-ignored-senders'
export const mailIn = '/mail/in'

/** What only those find in a response who may see the message. */
export const secretWords = /secret\d+x/g

let secrets = 0

/** A delivery of a mail to an address of the workspace, by the door for keys or by that without one. */
export function drawDelivery(draw: Draw, route: string, valid: boolean): Pick<Shot, 'target' | 'body'> {
  const { random, tenant, others } = draw
  const whose = random.below(valid ? 8 : 3) === 0 ? random.pick(others) : tenant
  const address = valid || random.below(4) > 0 ? random.pick(whose.addresses) : junkText(random)
  const raw = valid || random.below(3) > 0 ? drawMail(draw, whose) : junkText(random)
  return { target: `${route}?address=${encodeURIComponent(address)}`, body: Buffer.from(raw) }
}

/** Every fourth mail comes again. */
function drawMail({ random }: Draw, of: Tenant): string {
  if (of.mails.length > 0 && random.below(4) === 0) return random.pick(of.mails)
  const word = `secret${++secrets}x`
  const stranger = `"${word} ${of.mark}" <${of.mark}.${random.below(40)}@kontor.example>`
  const colleague = random.pick(of.members).email
  const [from, to] = random.pick([
    [stranger, colleague],
    [stranger, 'sales@kontor.example'],
    [colleague, stranger],
  ])
  const headers: MailHeaders = {
    ...{ From: from!, To: to!, Cc: `${word}@kontor.example`, Subject: `${word} ${of.mark}` },
    'Message-ID': `<mail${secrets}@kontor.example>`,
    ...(random.below(2) === 0 && { References: `<mail${1 + random.below(secrets)}@kontor.example>` }),
    ...(random.below(3) === 0 && { 'Content-Type': 'text/html' }),
  }
  const raw = headers['Content-Type']
    ? rawMail(headers, `<p>${word}</p>`)
    : mailWithFile(`${word}.txt`, `${word} ${of.mark}`, headers)
  of.mails.push(raw)
  return raw
}

/** What a body for an address, a mailbox or an ignored sender has, besides its metadata. */
export function drawMailBody({ random, tenant }: Draw, path: string): Record<string, unknown> {
  const of = (collection: string) => random.pick(tenant.places.get(collection) ?? [{ id: '' }]).id
  if (path.startsWith(mailboxesPath)) {
    const mailbox = { host: 'imap.kontor.example', port: 993, user: tenant.mark, password: 'unknown' }
    return path === mailboxesPath ? mailbox : { folder: tenant.mark }
  }
  if (path === ignoredSendersPath) {
    const address = `${tenant.mark}.${random.below(40)}@kontor.example`
    return { address, ...(random.below(3) === 0 && { visibility: 'personal' }) }
  }
  if (path !== addressesPath) return {}
  return random.pick<Record<string, unknown>>([
    { kind: 'company' },
    { kind: 'deal', deal_id: of('/api-v1-deals') },
    { kind: 'user', user_id: of('/api-v1-users'), audience: 'participants' },
  ])
}
