import { insertMessage } from '../../crm/insert-message.ts'
import { message } from '../../crm/message.ts'
import { noteUnmatched } from '../../crm/unmatched.ts'
import type { Row } from '../../engine/records/definition/change.ts'
import { noteRow } from '../../engine/records/rows/rows.ts'
import { lookupRow } from '../../engine/records/rows/stored-row.ts'
import { changeRow } from '../../engine/records/rows/write.ts'
import { system } from '../../store/change-log.ts'
import type { Reader, Writer } from '../../store/reader.ts'
import { indexed } from '../../store/visibility.ts'
import type { Outcome } from './delivery.ts'
import { wasErased } from './erase-message.ts'
import type { Kept } from './kept-content.ts'
import type { MailPlace } from './lookup-address.ts'
import { mailAddress } from './mail-address.ts'
import { peopleOf, type Recorded } from './people.ts'
import { enterThread } from './threads.ts'

/** What arrived in a workspace. */
export interface Arrival {
  readonly recorded: Recorded
  /** The addresses of the workspace that it reached. */
  readonly places: readonly MailPlace[]
  /** Whether an address is one of the server. */
  readonly isOwn: (address: string) => boolean
}

/** What is stored of a message already, or why nothing is to be stored; undefined: it is new. */
type Known = { outcome: 'duplicate' | 'internal'; messageId: string | null } | undefined

export interface Result {
  readonly outcome: Outcome
  readonly messageId: string | null
}

/** Whether a message is stored already or is not to be stored (decisions P4, P5). */
export function lookupKnown(tx: Writer, { recorded, places, isOwn }: Arrival): Known {
  const { identity } = recorded.mail
  const sql = 'SELECT id FROM message WHERE workspace_id = :workspace AND identity = ? ORDER BY id LIMIT 1'
  const id = tx.value<string>(sql, identity)
  if (id !== undefined) return { outcome: 'duplicate', messageId: id }
  if (hasErased(tx) && wasErased(tx, identity)) return { outcome: 'duplicate', messageId: null }
  const people = peopleOf(tx, recorded, places, isOwn)
  const isInternal = people.colleagues >= 2 && people.outsiders.length === 0 && !places.some(({ dealId }) => dealId)
  return isInternal ? { outcome: 'internal', messageId: null } : undefined
}

/** Asked first, because the secret of the hashes is above the workspaces, where a write makes others read again. */
function hasErased(tx: Writer): boolean {
  return tx.value('SELECT 1 FROM erased_message WHERE workspace_id = :workspace LIMIT 1') !== undefined
}

/** Adds what a further door or address says of a message that is stored. One in the trash stays as it is. */
export function addPlaces(tx: Writer, id: string, { recorded, places, isOwn }: Arrival): void {
  const before = lookupRow(message, tx, id)
  if (!before) return
  const { userIds, claimedIds } = peopleOf(tx, recorded, places, isOwn)
  const isTeam = places.some(({ audience }) => audience === 'team') && before.audience_chosen !== 1
  const changes: Row = {
    user_ids: union(before.user_ids, userIds),
    deal_id: before.deal_id ?? dealOf(places),
    audience: isTeam ? 'team' : before.audience!,
    ...(before.status === 'held' && { held_for: union(before.held_for, [...claimedIds, ...ownersOf(places)]) }),
  }
  const changed = Object.entries(changes).filter(([name, value]) => before[name] !== value)
  if (changed.length > 0) changeRow(message, tx.as({ ...tx.origin, ...system }), id, Object.fromEntries(changed))
}

function union(stored: Row[string] | undefined, added: readonly string[]): string {
  return JSON.stringify([...new Set([...JSON.parse(String(stored ?? '[]')), ...added])])
}

/** Stores a new message with its attachments. */
export function insertArrival(tx: Writer, arrival: Arrival, kept: Kept): Result {
  const { recorded, places, isOwn } = arrival
  const { outer, mail, isForwarded } = recorded
  const people = peopleOf(tx, recorded, places, isOwn)
  const { userIds, contactIds, claimedIds, organizationId, suggestedOrganizationId } = people
  const isTeam = places.some(({ audience }) => audience === 'team') || userIds.length === 0
  const isHeld = claimedIds.length > 0
  const isSeenByAll = isTeam && !isHeld
  const status = isHeld ? 'held' : contactIds.length > 0 ? 'matched' : 'unmatched'
  const { threadId, parts } = enterThread(tx, mail, isSeenByAll)
  const { subject, to, cc, sentAt, internetMessageId, text, html, identity } = mail
  const id = insertMessage(tx, {
    direction: people.isFromColleague ? 'outbound' : 'inbound',
    ...{
      status,
      subject,
      from: mail.from[0] ?? null,
      to,
      cc,
      sentAt,
      internetMessageId,
      threadId,
      text,
      html,
      identity,
    },
    ...{ isVerified: outer.isVerified, isForwarded, audience: isTeam ? 'team' : 'participants' },
    ...{ organizationId, suggestedOrganizationId, dealId: dealOf(places) ?? dealOfThreads(tx, parts) },
    ...{ contactIds, userIds, heldFor: [...new Set([...claimedIds, ...ownersOf(places)])] },
    original: kept.original,
    attachments: mail.attachments.map(({ name, mediaType }, at) => ({ name, mediaType, ...kept.attachments[at]! })),
  })
  if (contactIds.length === 0) noteUnmatched(tx, id, people.outsiders)
  if (isSeenByAll)
    for (const each of places.filter(({ kind }) => kind !== 'source'))
      noteRow(mailAddress, tx, each.id, { last_message_at: tx.now })
  return { outcome: status === 'matched' ? 'stored' : status, messageId: id }
}

function dealOf(places: readonly MailPlace[]): string | null {
  return places.find(({ dealId }) => dealId !== null)?.dealId ?? null
}

function ownersOf(places: readonly MailPlace[]): string[] {
  return places.flatMap(({ userId }) => userId ?? [])
}

/** How many messages of threads are looked at for their deal, the newest ones. */
const lookedAtMax = 1_000

/** The deal of the newest message of some threads that everybody sees. */
function dealOfThreads(reader: Reader, threadIds: readonly string[]): string | null {
  const sql = `SELECT deal_id FROM message JOIN deal ON deal.workspace_id = :workspace AND deal.id = deal_id AND deal.deleted_at IS NULL
    WHERE message.workspace_id = :workspace AND message.id IN (
        SELECT id FROM ${indexed('message', 'message_thread_id')} WHERE workspace_id = :workspace AND thread_id IN (SELECT value FROM json_each(?))
          AND deleted_at IS NULL ORDER BY id DESC LIMIT ${lookedAtMax})
      AND audience = 'team' AND message.status <> 'held' ORDER BY received_at DESC LIMIT 1`
  return reader.value<string>(sql, JSON.stringify(threadIds)) ?? null
}
