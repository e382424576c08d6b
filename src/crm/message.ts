import { resource } from '../engine/records/define.ts'
import { byService, chosen, metadata, reference } from '../engine/records/kinds/fields.ts'
import { choice, text } from '../engine/records/kinds/text-kinds.ts'
import { flag, position, timestamp } from '../engine/records/kinds/value-kinds.ts'
import { contact } from './contact.ts'
import { deal } from './deal.ts'
import { isWaiting } from './ignored-sender.ts'
import { ids, recipients, sender, status, threadId } from './message-kinds.ts'
import { afterWrite, beforeWrite, visibleBy } from './message-rules.ts'
import { followThread } from './message-thread.ts'
import { organization } from './organization.ts'
import { user } from './user.ts'

const textMax = 100_000
const headerMax = 1_000
const participantsMax = 1_000_000
const htmlMax = 50_000_000

/** A message that somebody sent or received by mail (decision P1). A delivery creates it. */
export const message = resource('message', {
  path: 'api-v1-messages',
  scope: 'messages',
  operations: ['list', 'get', 'patch', 'delete'],
  fields: {
    direction: byService(choice(['inbound', 'outbound'], { default: 'inbound' })),
    status: status(),
    subject: byService(text({ max: headerMax })),
    from: sender(),
    to: recipients(),
    cc: recipients(),
    sent_at: byService(timestamp()),
    received_at: byService(chosen(timestamp())),
    internet_message_id: byService(text({ max: headerMax })),
    thread_id: threadId(),
    text: byService(text({ max: textMax, default: '' })),
    has_html: byService(flag({ default: false })),
    is_verified: byService(flag({ default: false })),
    is_forwarded: byService(flag({ default: false })),
    audience: choice(['team', 'participants'], { default: 'team' }),
    organization_id: reference(organization),
    suggested_organization_id: byService(reference(organization)),
    deal_id: reference(deal),
    contact_ids: ids(),
    user_ids: byService(ids()),
    metadata: metadata(),
  },
  unshown: {
    participants: text({ max: participantsMax }),
    html: text({ max: htmlMax }),
    original_sha256: text(),
    original_bytes: position(),
    identity: text(),
    held_for: text(),
    audience_chosen: flag(),
  },
  offers: { fields: false, imports: false, agents: 'read' },
  contentBytes: 'original_bytes',
  filters: [
    'direction',
    'status',
    'subject',
    'from',
    'organization_id',
    'deal_id',
    'thread_id',
    'sent_at',
    'received_at',
    'audience',
    'created_at',
    'updated_at',
  ],
  computed: { is_waiting: isWaiting },
  sorts: ['sent_at', 'received_at', 'created_at', 'updated_at'],
  defaultSort: '-received_at',
  pageSize: { default: 50, max: 100 },
  relations: {
    organization: { target: organization, by: 'organization_id' },
    deal: { target: deal, by: 'deal_id' },
  },
  idLists: {
    contacts: {
      ...{ field: 'contact_ids', table: 'message_contact', owner: 'message_id', target: contact, to: 'contact_id' },
      filter: 'contact_id',
    },
    users: {
      ...{ field: 'user_ids', table: 'message_user', owner: 'message_id', target: user, to: 'user_id' },
      filter: 'user_id',
    },
  },
  title: ['subject'],
  summary: ['id', 'subject'],
  search: { fields: ['subject', 'participants', 'text'], names: ['subject'], subtitle: ['organization'] },
  followsAside: true,
  visibleBy,
  ...{ beforeWrite, afterWrite, beforeRestore: followThread },
  about: {
    summary: 'A message that somebody sent or received by mail.',
    fields: {
      status: 'A held message claims a colleague as its sender and is not verified. `matched` releases it.',
      from: 'The filter compares the address.',
      text: `At most ${textMax} characters.`,
      has_html: 'Whether `…/html` shows it as HTML.',
      is_verified: 'Whether the domain of its sender has confirmed it, by DKIM or SPF.',
      is_forwarded: 'Whether a colleague has forwarded it. The other fields are those of the original.',
      audience: 'Who sees it: `team`, or only the users who sent or received it (`participants`), who can change it.',
      suggested_organization_id: 'The organization with the domain of an unknown sender.',
      contact_ids: 'The contacts who sent or received it. Without one, it is `unmatched`.',
      user_ids: 'The users who sent or received it.',
    },
    conflicts: { patch: 'The message is not held, or there is no user who could be its audience.' },
    example: { metadata: { topic: 'hampers' } },
    shown: {
      direction: 'inbound',
      subject: 'Christmas hampers',
      from: { name: 'Grace Hopper', address: 'grace@example.com' },
      to: [{ name: 'Sales', address: 'sales@example.org' }],
      cc: [],
      thread_id: '019ab0c4-5a00-7000-8000-000000000001',
      sent_at: '2026-11-23T09:44:00.000Z',
      received_at: '2026-11-23T09:45:00.000Z',
      internet_message_id: '<1@example.com>',
      text: 'We would like 200 hampers.',
      status: 'unmatched',
      audience: 'team',
    },
    patch: { audience: 'team' },
  },
})
