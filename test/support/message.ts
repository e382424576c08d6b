import { randomUUID } from 'node:crypto'
import { insertMessage, type NewMessage } from '../../src/crm/insert-message.ts'
import { message } from '../../src/crm/message.ts'
import { changeRow } from '../../src/engine/records/rows/write.ts'
import type { Store } from '../../src/store/store.ts'
import { texts } from './samples.ts'

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

export type AddMessage = (fields: Record<string, unknown>) => Promise<string>

/** What differs in every message but the first: by turns, so that lists have something to compare. */
function variant(count: number): Partial<NewMessage> {
  if (count === 0) return {}
  const at = (of: readonly string[]) => of[count % of.length]!
  return {
    direction: count % 3 === 0 ? 'outbound' : 'inbound',
    subject: count % 4 === 3 ? null : at(texts),
    from: { name: null, address: at(['grace@nordstern.example', 'Otto@apfelbaum.example', 'ADA@example.net']) },
    sentAt: count % 5 === 4 ? null : `2026-07-0${1 + (count % 4)}T08:00:00.000Z`,
    text: `${at(texts)} ${count}`,
  }
}

/** Stores messages with these fields of records in a workspace. */
export function messageAdder(store: Store, workspaceId: number): AddMessage {
  let count = 0
  return ({ metadata, ...fields }) =>
    store.write(workspaceId, (tx) => {
      const id = insertMessage(tx, newMessage(variant(count++)))
      const { organization_id = null, deal_id = null, contact_ids } = fields as Record<string, never>
      const lists = { contact_ids: JSON.stringify(contact_ids ?? []), metadata: JSON.stringify(metadata ?? {}) }
      const given = { organization_id, deal_id, ...lists }
      changeRow(message, tx, id, given)
      return id
    })
}
