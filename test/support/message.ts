import { randomUUID } from 'node:crypto'
import { insertMessage, type NewMessage } from '../../src/crm/insert-message.ts'
import type { Store } from '../../src/store/store.ts'

/** A message to the team from an unknown person; `values` differ from it. */
export function newMessage(values: Partial<NewMessage> = {}): NewMessage {
  return {
    direction: 'inbound',
    status: values.contactIds?.length ? 'matched' : 'unmatched',
    subject: 'Hampers',
    from: { name: 'Ada', address: 'ada@example.net' },
    to: [{ name: null, address: 'sales@example.org' }],
    cc: [],
    sentAt: '2026-11-23T09:44:00.000Z',
    internetMessageId: `<${randomUUID()}@example.net>`,
    text: 'We would like 200 hampers.',
    html: null,
    isVerified: false,
    isForwarded: false,
    audience: 'team',
    contactIds: [],
    userIds: [],
    original: null,
    identity: randomUUID(),
    ...values,
  }
}

/** Stores a message in the live workspace of a company, as a delivery does. Returns its id. */
export function deliverMessage(store: Store, companyId: string, values: Partial<NewMessage> = {}): Promise<string> {
  const sql = `SELECT id FROM workspace WHERE company_id = ? AND environment = 'live'`
  const workspaceId = store.access.value<number>(sql, companyId)!
  return store.write(workspaceId, (tx) => insertMessage(tx, newMessage(values)))
}
