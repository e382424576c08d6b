import { undo } from '../data/change-log.ts'
import { get, isGone, patch, remove, request, withRequestId, writeOf } from '../data/http.ts'
import type { Once } from '../data/once.ts'
import { isRefused } from '../data/refused.ts'
import type { Row } from '../data/resource-views.ts'
import type { Mailbox } from '../mail/mail-people.tsx'
import { notify } from '../parts/notes.tsx'
import { t } from '../text/texts.ts'
import { notifyChange, reportUndo } from '../undo/undo.ts'

/** A message in the inbox. */
export interface Waiting extends Row {
  direction: 'inbound' | 'outbound'
  status: 'unmatched' | 'held'
  subject: string | null
  from: Mailbox | null
  to: Mailbox[]
  cc: Mailbox[]
  received_at: string
  text: string
  is_verified: boolean
  audience: 'team' | 'participants'
  organization_id: string | null
  suggested_organization_id: string | null
  contact_ids: string[]
  files: Row[]
}

const sendersPath = '/api-v1-mail-ignored-senders'
const pathOf = ({ id }: Pick<Row, 'id'>) => `/api-v1-messages/${id}`

/** Addresses of the server have 26 letters and digits (`newLocalPart`). */
const isOwn = ({ address }: Mailbox) => /^[a-z2-7]{26}@/i.test(address)
const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** The person outside of the company: who wrote, or to whom a colleague has written. */
export function outsiderOf({ direction, from, to, cc }: Waiting): Mailbox | undefined {
  if (direction === 'inbound') return from ?? undefined
  const own = from && domainOf(from.address)
  return [...to, ...cc].find((each) => !isOwn(each) && domainOf(each.address) !== own)
}

/** The first and last name of `Grace Hopper`, of `Hopper, Grace`, and of `grace.hopper@navy.example`. */
export function namesIn({ name, address }: Mailbox): { first_name: string; last_name: string | null } {
  const local = address.slice(0, address.lastIndexOf('@')).replace(/\+.*$/, '')
  const given = name?.trim().replace(/^["']|["']$/g, '') || local.split(/[._]+/).map(capitalized).join(' ')
  const [last, first] = given.split(/,\s*/)
  const [one, ...others] = (first ? `${first} ${last}` : given).split(/\s+/)
  return { first_name: one!, last_name: others.join(' ') || null }
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Links messages to a contact, as a part of the request that has created it. */
export async function linkAll(messages: readonly Waiting[], contact: Row, once: Once): Promise<void> {
  for (const message of messages) {
    const organization = message.organization_id === null && contact.organization_id
    const body = { contact_ids: [contact.id], ...(organization && { organization_id: organization }) }
    await patch(pathOf(message), body, undefined, { requestId: once })
  }
}

interface Place {
  contactId: string | undefined
  organizationId: string | undefined
  dealId: string | undefined
  /** An address that the contact gets. */
  address: string | undefined
}

/** Puts a message on a contact, an organization and a deal. Its organization is that of the contact if it is not deleted, unless another one is named. */
export async function addTo(message: Waiting, place: Place, once: Once): Promise<Row> {
  const { contactId, organizationId, dealId, address } = place
  const path = `/api-v1-contacts/${contactId}?include=organization`
  const contact = contactId === undefined ? undefined : await get<Row>(path)
  const organization = organizationId ?? contact?.organization?.id
  const body = {
    ...(contact && { contact_ids: [contact.id] }),
    ...(organization && { organization_id: organization }),
    ...(dealId !== undefined && { deal_id: dealId }),
  }
  if (contact && address !== undefined) await addEmail(contact, address, once)
  return patch<Row>(pathOf(message), body, undefined, { requestId: once })
}

/** An address that the contact has already is no fault. */
async function addEmail({ id }: Row, email: string, requestId: Once): Promise<void> {
  const options = { body: { email }, once: `${requestId}.email`, requestId }
  await request('POST', `/api-v1-contacts/${id}/emails`, options).catch((error) => {
    if (!isRefused(error)) throw error
  })
}

/** Whether the sender of a message can be ignored: a held one claims a colleague, and an outbound one is of a colleague. */
function canIgnore({ direction, status, from }: Waiting): boolean {
  return direction === 'inbound' && status !== 'held' && from !== null
}

/** Moves a message to the trash, and ignores its sender: for everybody if everybody sees the message. */
export async function discard(message: Waiting): Promise<void> {
  const isShared = message.audience === 'team'
  const body = { address: message.from?.address, visibility: isShared ? 'shared' : 'personal' }
  let ignored: Row | undefined
  const deleted = await withRequestId(async (shared) => {
    const once = `${shared.requestId}.sender`
    if (canIgnore(message)) ignored = await request<Row>('POST', sendersPath, { body, once, ...shared })
    return remove<object>(pathOf(message), shared)
  })
  if (!ignored) return notifyChange(t('Moved to the trash.'), deleted)
  const text = t('Moved to the trash. Mail from {address} no longer waits here.', { address: ignored.address })
  if (isShared) return notifyChange(text, deleted)
  notifyIgnored(text, ignored.id, writeOf(deleted)!)
}

/** An ignored sender of one user is in no log, so an undo does not find it. */
function notifyIgnored(text: string, ignoredId: string, request_id: string): void {
  notify(text, { label: t('Undo'), run: takeBack })

  async function takeBack(): Promise<void> {
    try {
      await remove(`${sendersPath}/${ignoredId}`).catch((error) => {
        if (!isGone(error)) throw error // an attempt whose response was lost has removed it
      })
      reportUndo(await undo({ request_id }))
    } catch (error) {
      notifyIgnored(t('Not undone: {message}', { message: (error as Error).message }), ignoredId, request_id)
    }
  }
}
