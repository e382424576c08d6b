import { insert } from '../engine/records/rows/write.ts'
import type { Writer } from '../store/reader.ts'
import { file } from './file.ts'
import { message } from './message.ts'

interface Mailbox {
  readonly name: string | null
  readonly address: string
}

/** A message that is to be stored. Times are ISO 8601 in UTC. */
export interface NewMessage {
  readonly direction: 'inbound' | 'outbound'
  readonly status: 'matched' | 'unmatched' | 'held'
  readonly subject: string | null
  readonly from: Mailbox | null
  readonly to: readonly Mailbox[]
  readonly cc: readonly Mailbox[]
  readonly sentAt: string | null
  /** Default: now. */
  readonly receivedAt?: string
  readonly internetMessageId: string | null
  /** Undefined: it begins a thread. */
  readonly threadId?: string | undefined
  readonly text: string
  readonly html: string | null
  readonly isVerified: boolean
  readonly isForwarded: boolean
  readonly audience: 'team' | 'participants'
  readonly organizationId?: string | null
  readonly suggestedOrganizationId?: string | null
  readonly dealId?: string | null
  readonly contactIds: readonly string[]
  readonly userIds: readonly string[]
  /** The users who see it while it is held, besides admins: the claimed sender and the owner of the address. */
  readonly heldFor?: readonly string[]
  /** Its content must be stored. */
  readonly original: { readonly sha256: string; readonly bytes: number } | null
  readonly identity: string
  /** Their content must be stored. */
  readonly attachments?: readonly Attachment[]
}

interface Attachment {
  readonly name: string
  readonly mediaType: string
  readonly bytes: number
  readonly sha256: string
}

const bodyOf = (values: Readonly<Record<string, string | number | null>>) => ({ values, items: {} })

/** Stores a message with its attachments, whoever may see it. Returns its id. */
export function insertMessage({ unrestricted: tx }: Writer, given: NewMessage): string {
  const { from, to, cc, attachments = [] } = given
  const values = {
    direction: given.direction,
    status: given.status,
    subject: given.subject,
    from: from && JSON.stringify(from),
    to: JSON.stringify(to),
    cc: JSON.stringify(cc),
    sent_at: given.sentAt,
    received_at: given.receivedAt ?? tx.now,
    internet_message_id: given.internetMessageId,
    thread_id: given.threadId ?? tx.newId(),
    text: given.text,
    has_html: given.html === null ? 0 : 1,
    is_verified: given.isVerified ? 1 : 0,
    is_forwarded: given.isForwarded ? 1 : 0,
    audience: given.audience,
    organization_id: given.organizationId ?? null,
    suggested_organization_id: given.suggestedOrganizationId ?? null,
    deal_id: given.dealId ?? null,
    contact_ids: JSON.stringify(given.contactIds),
    user_ids: JSON.stringify(given.userIds),
    metadata: '{}',
    participants: participantsOf(given),
    html: given.html,
    original_sha256: given.original?.sha256 ?? null,
    original_bytes: given.original?.bytes ?? null,
    identity: given.identity,
    held_for: given.status === 'held' ? JSON.stringify(given.heldFor ?? []) : null,
  }
  const { id } = insert(message, tx, bodyOf(values), {})
  for (const { name, mediaType, bytes, sha256 } of attachments) {
    const brought = { media_type: mediaType, bytes, sha256, message_id: id }
    insert(file, tx, bodyOf({ name, metadata: '{}', ...brought }), {})
  }
  return id
}

/** The names and addresses by which a search finds it. */
function participantsOf({ from, to, cc }: Pick<NewMessage, 'from' | 'to' | 'cc'>): string | null {
  const all = [...(from ? [from] : []), ...to, ...cc]
  return all.map(({ name, address }) => (name === null ? address : `${name} ${address}`)).join('\n') || null
}
