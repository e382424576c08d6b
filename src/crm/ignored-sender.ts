import { resource } from '../engine/records/define.ts'
import type { Row } from '../engine/records/definition/change.ts'
import { viewingUser } from '../engine/records/definition/filter.ts'
import type { Computed } from '../engine/records/definition/options.ts'
import { byService, fixed, reference, required } from '../engine/records/kinds/fields.ts'
import { choice, email } from '../engine/records/kinds/text-kinds.ts'
import { ApiError } from '../errors.ts'
import { emailKey } from '../lib/email.ts'
import type { Reader } from '../store/reader.ts'
import { user } from './user.ts'

/** A sender whose messages are not for Kontor: they are stored, but do not wait in the inbox (decision P11). */
export const ignoredSender = resource('ignored_sender', {
  path: 'api-v1-mail-ignored-senders',
  scope: 'messages',
  counted: false,
  ownedBy: 'user_id',
  max: 1_000,
  operations: [], // features/mail/ignored-sender-routes.ts
  fields: {
    address: fixed(required(email(), 'Address is required')),
    visibility: fixed(choice(['shared', 'personal'], { default: 'shared' })),
    user_id: byService(reference(user)),
  },
  filters: ['address', 'visibility', 'created_at'],
  sorts: ['address', 'created_at'],
  pageSize: { default: 50, max: 100 },
  beforeRestore: ({ tx, after }) => requireOnly(tx, after),
  about: {
    summary:
      'A sender whose messages are not for Kontor: they are stored, but do not wait in the inbox (`is_waiting`).',
    fields: {
      address: 'Compared like the email of a contact.',
      visibility: '`personal`: only for the user who creates it, with a personal key or a session.',
      user_id: 'The user of a personal one.',
    },
    example: { address: 'news@shop.example', visibility: 'shared' },
    shown: { user_id: null },
  },
})

/** The id of the one with an address, of a user, or a shared one. */
export function lookupIgnoredSender(reader: Reader, address: string, userId: string | null): string | undefined {
  const sql = `SELECT id FROM ignored_sender INDEXED BY ignored_sender_address
    WHERE workspace_id = :workspace AND address_key = ? AND user_id IS ? AND deleted_at IS NULL`
  return reader.value<string>(sql, emailKey(address), userId)
}

function requireOnly(reader: Reader, { address, user_id }: Row): void {
  if (lookupIgnoredSender(reader, String(address), (user_id ?? null) as string | null) === undefined) return
  throw new ApiError('CONFLICT', 'This sender is ignored again by now')
}

const isIgnored = `EXISTS (SELECT 1 FROM ignored_sender INDEXED BY ignored_sender_address
  WHERE ignored_sender.workspace_id = :workspace AND address_key = message.from_key AND ignored_sender.deleted_at IS NULL
    AND (ignored_sender.user_id IS NULL OR ignored_sender.user_id = ?))`

/** Whether somebody still has to say where a message belongs. Its `?` is the user who sees it. */
export const waits = `(message.status = 'held'
  OR (message.status = 'unmatched' AND organization_id IS NULL AND message.deal_id IS NULL AND NOT ${isIgnored}))`

/** Whether a message is in the inbox (decision P11). */
export const isWaiting: Computed = {
  holds: waits,
  records: `SELECT message.id FROM message
    WHERE message.workspace_id = :workspace AND status_key > 0 AND message.deleted_at IS NULL AND ${waits}`,
  params: [viewingUser],
  about:
    'Whether it waits in the inbox: it is held; or it is unmatched, on no organization or deal, and not of a sender in `/api-v1-mail-ignored-senders`.',
}
