import { createHash } from 'node:crypto'
import { insertMessage } from '../../crm/insert-message.ts'
import type { Writer } from '../../store/reader.ts'
import { type Cast, fill, type Subject } from './cast.ts'

/** The mails about an offer, the oldest first. */
const mails = [
  {
    isCustomers: true,
    subject: 'Question about your offer: {product}',
    text: 'Dear {seller},\n\nthank you for the offer of {pieces} {product}. Could you deliver to two addresses, and what would that cost?\n\nKind regards\n{first}',
    html: '<p>Dear {seller},</p><p>thank you for the offer of <b>{pieces} {product}</b>. Could you deliver to two addresses, and what would that cost?</p><p>Kind regards<br />{first}</p><p><img data-remote-src="https://{domain}/logo.png" alt="{organization}" /></p>',
  },
  {
    isCustomers: false,
    subject: 'Re: Question about your offer: {product}',
    text: 'Dear {first},\n\nthe second address is free of charge for this quantity. Just send me both before we pack in {month}.\n\nBest wishes\n{seller}\n\n{first} wrote:\n> Could you deliver to two addresses, and what would that cost?',
    html: null,
  },
  {
    isCustomers: true,
    subject: 'Re: Question about your offer: {product}',
    text: 'That is good news, thank you. I take it to our meeting this week and call you afterwards.\n\n{first}',
    html: null,
  },
]

/** A customer and a seller write to each other about an offer, from a time to the demo's day. */
export function tellMails({ diary, mailboxes }: Cast, subject: Subject, begun: number): void {
  const { owner, person, references } = subject
  const seller = mailboxes.get(owner)!
  const domain = person.address.split('@')[1]!
  const words = { ...subject.words, domain, seller: seller.name.split(' ')[0]! }
  const step = (-0.05 - begun) / (mails.length + 1)
  let threadId: string | undefined
  const nameOf = (tx: Writer, at: number) => `<${references.deal_id!.id}.${at}.${tx.now.slice(0, 10)}@${domain}>`
  for (const [at, { isCustomers, subject: heading, text, html }] of mails.entries())
    diary.tell(begun + (at + 1) * step, owner, (tx) => {
      const id = insertMessage(tx, {
        direction: isCustomers ? 'inbound' : 'outbound',
        status: 'matched',
        subject: fill(heading, words),
        from: isCustomers ? person : seller,
        to: [isCustomers ? seller : person],
        cc: [],
        sentAt: tx.now,
        internetMessageId: nameOf(tx, at),
        threadId,
        text: fill(text, words),
        html: html && fill(html, words),
        isVerified: true,
        isForwarded: false,
        audience: 'team',
        organizationId: references.organization_id.id,
        dealId: references.deal_id!.id,
        contactIds: [references.contact_id.id],
        userIds: [owner],
        original: null,
        identity: createHash('sha256').update(nameOf(tx, at)).digest('hex'),
      })
      const sql = 'SELECT thread_id FROM message WHERE workspace_id = :workspace AND id = ?'
      threadId ??= tx.value<string>(sql, id)
    })
}
