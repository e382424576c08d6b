import { emailKey } from '../../lib/email.ts'
import { fold } from '../../lib/text.ts'
import type { Address, ReadMail } from '../../mail/read-mail.ts'
import type { Reader } from '../../store/reader.ts'
import type { MailPlace } from './lookup-address.ts'
import { isPublicDomain } from './public-domains.ts'

/** A message as it is recorded: of a forward, the one that was forwarded. */
export interface Recorded {
  /** What arrived. */
  readonly outer: ReadMail
  /** What is recorded. */
  readonly mail: ReadMail
  readonly isForwarded: boolean
}

/** Who sent and received a message, by what a workspace knows (decision P5). */
interface People {
  /** The keys of the addresses of those who are neither users nor the server itself, in the order from, to, cc. */
  readonly outsiders: readonly string[]
  /** The active users among the participants, and those whose addresses it reached. */
  readonly userIds: readonly string[]
  /** How many of the participants are active users. */
  readonly colleagues: number
  readonly isFromColleague: boolean
  /** The users as whom it claims to be sent, without proof. */
  readonly claimedIds: readonly string[]
  readonly contactIds: readonly string[]
  readonly organizationId: string | null
  readonly suggestedOrganizationId: string | null
}

/**
 * What to record. A message with one attached message that does not call itself a forward is one if it goes to the server's addresses alone.
 */
export function recordedOf(outer: ReadMail, isOwn: (address: string) => boolean): Recorded {
  const { original, saysForward, to, cc } = outer
  const isForwarded = original !== null && (saysForward || [...to, ...cc].every(({ address }) => isOwn(address)))
  return { outer, mail: isForwarded ? original! : outer, isForwarded }
}

/** `places` are the addresses of the workspace that it reached, `isOwn` tells addresses of the server. */
export function peopleOf(
  reader: Reader,
  { outer, mail, isForwarded }: Recorded,
  places: readonly MailPlace[],
  isOwn: (address: string) => boolean,
): People {
  const users = usersBy(reader, [...participantsOf(mail), ...outer.from])
  const idsOf = (list: readonly Address[]) => list.flatMap(({ address }) => users.get(emailKey(address)) ?? [])
  const senders = isForwarded ? [...mail.from, ...mail.to, ...mail.cc, ...outer.from] : participantsOf(mail)
  const keys = [...new Set(senders.filter(({ address }) => !isOwn(address)).map(({ address }) => emailKey(address)))]
  const outsiders = keys.filter((key) => !users.has(key))
  const owners = places.flatMap(({ userId }) => userId ?? [])
  const isTrusted = outer.isVerified && (!isForwarded || idsOf(outer.from).length > 0)
  const known = places.flatMap(({ isSent, userId }) => (isSent && userId !== null ? [userId] : []))
  const claimed = [...idsOf(outer.from), ...(isForwarded ? idsOf(mail.from) : [])].filter((id) => !known.includes(id))
  const contacts = contactsBy(reader, outsiders)
  const organizationId = contacts.find(({ organization_id }) => organization_id !== null)?.organization_id ?? null
  const sender = mail.from.map(({ address }) => emailKey(address)).find((key) => outsiders.includes(key))
  const isKnown = organizationId !== null || contacts.some(({ email_key }) => email_key === sender)
  return {
    outsiders,
    userIds: [...new Set([...idsOf(senders), ...owners])],
    colleagues: new Set(idsOf(senders)).size,
    isFromColleague: idsOf(mail.from).length > 0,
    claimedIds: isTrusted ? [] : [...new Set(claimed)],
    contactIds: [...new Set(contacts.map(({ contact_id }) => contact_id))],
    organizationId,
    suggestedOrganizationId: sender === undefined || isKnown ? null : (lookupOrganization(reader, sender) ?? null),
  }
}

/** The participants in the order in which they are compared. */
function participantsOf({ from, to, cc }: Pick<ReadMail, 'from' | 'to' | 'cc'>): Address[] {
  return [...from, ...to, ...cc]
}

/** The active users of the workspace's company, by the keys of their addresses. */
function usersBy(reader: Reader, among: readonly Address[]): ReadonlyMap<string, string> {
  const keys = JSON.stringify([...new Set(among.map(({ address }) => emailKey(address)))])
  const sql = `SELECT user.id, email_key FROM workspace JOIN user ON user.company_id = workspace.company_id
    WHERE workspace.id = :workspace AND is_active = 1 AND email_key IN (SELECT value FROM json_each(?))`
  return new Map(reader.rows<{ id: string; email_key: string }>(sql, keys).map(({ id, email_key }) => [email_key, id]))
}

interface Known {
  contact_id: string
  email_key: string
  organization_id: string | null
}

/** The contacts that have one of these addresses, in the order of the addresses, each with its organization unless that is deleted. */
export function contactsBy(reader: Reader, keys: readonly string[]): Known[] {
  const sql = `SELECT contact_id, email_key, organization.id AS organization_id FROM json_each(?) AS given
    CROSS JOIN contact_email ON contact_email.workspace_id = :workspace AND email_key = given.value
    CROSS JOIN contact ON contact.workspace_id = :workspace AND contact.id = contact_id
    LEFT JOIN organization ON organization.workspace_id = :workspace AND organization.id = contact.organization_id
      AND organization.deleted_at IS NULL
    WHERE contact.deleted_at IS NULL ORDER BY given.key, contact_id LIMIT ${contactsMax}`
  return reader.rows<Known>(sql, JSON.stringify(keys))
}

const contactsMax = 1_000

/** The organization with the domain of an address, unless anybody can have an address there. */
function lookupOrganization(reader: Reader, key: string): string | undefined {
  const domain = key.slice(key.lastIndexOf('@') + 1)
  if (isPublicDomain(domain)) return undefined
  const sql = `SELECT id FROM organization INDEXED BY organization_domain
    WHERE workspace_id = :workspace AND domain_key IN (?, ?) AND deleted_at IS NULL ORDER BY id LIMIT 1`
  return reader.value<string>(sql, fold(domain), fold(`www.${domain}`))
}
