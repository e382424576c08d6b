import * as v from 'valibot'
import { rule } from '../engine/records/definition/faults.ts'
import type { Kind } from '../engine/records/definition/resource.ts'
import { asIs, byService, shownAs } from '../engine/records/kinds/fields.ts'
import { uuidFilter } from '../engine/records/kinds/filters.ts'
import { emailFilter } from '../engine/records/kinds/text-filters.ts'
import { choice } from '../engine/records/kinds/text-kinds.ts'
import { emailKey } from '../lib/email.ts'
import { parseUuid } from '../lib/uuid.ts'

const linkedMax = 1_000
const statuses = ['matched', 'unmatched', 'held']
const uuid = { type: 'string', format: 'uuid' }
const mailbox = {
  type: 'object',
  properties: { name: { type: ['string', 'null'] }, address: { type: 'string' } },
  required: ['name', 'address'],
}

/** The ids of records in their order, a JSON array. */
export function ids(): Kind {
  const isId = (each: unknown) => typeof each === 'string' && parseUuid(each) !== undefined
  return {
    kind: 'ids',
    sqlType: 'TEXT',
    schema: (label) =>
      v.pipe(
        v.array(v.unknown(), `${label} must be an array`),
        rule('TOO_LONG', (given) => given.length <= linkedMax, `${label} must be at most ${linkedMax}`),
        rule('INVALID_FORMAT', (given) => given.every(isId), `${label} must be UUIDs`),
        v.transform((given) => JSON.stringify([...new Set(given.map((each) => parseUuid(String(each))!))])),
      ),
    shape: { type: 'array', items: uuid, maxItems: linkedMax, uniqueItems: true },
    input: { type: 'array', items: uuid, maxItems: linkedMax },
    json: (column) => `json(${column})`,
    default: '[]',
    examples: [[]],
  }
}

/** Whether a message belongs to known people. Bodies can only release a held one. */
export function status(): Kind {
  const released = choice(['matched'])
  return {
    ...choice(statuses),
    default: 'unmatched',
    schema: released.schema,
    input: released.shape,
  }
}

/** A name and an address, compared by the address. */
export function sender(): Kind {
  const of = (stored: string) => emailKey(JSON.parse(stored).address)
  const json = (column: string) => `json(${column})`
  const kind = { kind: 'mailbox', sqlType: 'TEXT', schema: () => v.never(), shape: mailbox, json } as const
  return byService({ ...kind, filter: emailFilter, key: { sqlType: 'TEXT', of } })
}

/** Names and addresses, as JSON. */
export function recipients(): Kind {
  const json = (column: string) => `json(${column})`
  return shownAs('mailboxes', { type: 'array', items: mailbox }, { json, cleared: '[]' })
}

/** What the messages of a conversation have in common. */
export function threadId(): Kind {
  const kind = { kind: 'reference', sqlType: 'TEXT', schema: () => v.never(), shape: uuid, json: asIs } as const
  return byService({ ...kind, filter: uuidFilter, chosen: true })
}
