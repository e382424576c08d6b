import { grants, missingScope } from '../../access/scopes.ts'
import { message } from '../../crm/message.ts'
import { type ApiResponse, textOf } from '../../engine/api/call/http-response.ts'
import type { Call, Route } from '../../engine/api/call/route.ts'
import { list } from '../../engine/api/lists/list.ts'
import { type Approached, conditionBy } from '../../engine/finding/list/approach.ts'
import { resource } from '../../engine/records/define.ts'
import type { Describer, Description } from '../../engine/records/describe.ts'
import { moment, shownAs } from '../../engine/records/kinds/fields.ts'
import { creationFilter } from '../../engine/records/kinds/filters.ts'
import { shownChoice } from '../../engine/records/kinds/text-kinds.ts'
import { doors, outcomes } from './delivery.ts'
import { visibleMessages } from './visible-messages.ts'

const textOrNull = { type: ['string', 'null'] }
const sender = {
  anyOf: [
    { type: 'object', properties: { name: textOrNull, address: { type: 'string' } }, required: ['name', 'address'] },
    { type: 'null' },
  ],
}

/** What became of the last messages that arrived (decision P9). */
const mailDelivery = resource('mail_delivery', {
  label: 'Delivered message',
  path: 'api-v1-mail-log',
  table: 'mail_log',
  scope: { read: 'any', write: 'admin:all' },
  stamped: false,
  counted: false,
  operations: ['list'],
  offers: { files: false }, // of each page, what the caller may not see is hidden
  fields: {
    at: { ...shownAs('moment', moment().shape), filter: creationFilter },
    door: shownChoice('door', doors),
    address: shownAs('text', { type: 'string' }),
    from: shownAs('mailbox', sender),
    subject: shownAs('text', textOrNull),
    outcome: shownChoice('outcome', outcomes),
    reason: shownAs('text', textOrNull),
    message_id: shownAs('uuid', { type: ['string', 'null'], format: 'uuid' }),
  },
  filters: ['door', 'outcome', 'at'],
  sorts: ['at'],
  defaultSort: '-at',
  pageSize: { default: 50, max: 100 },
  about: {
    summary: 'What became of the last 1,000 messages that arrived, newest first.',
    fields: {
      at: 'When it was delivered.',
      from: 'Null if the caller may not see the message, or nothing is stored of it.',
      subject: 'The same.',
      message_id: 'The same.',
      outcome:
        '`stored`; `unmatched`: without a contact; `held` until somebody releases it; `duplicate`: it is there already; `internal`: between colleagues, not stored; `refused`.',
      reason: 'Why it was refused.',
    },
    example: {
      ...{ door: 'http', outcome: 'unmatched', at: '2026-11-23T09:45:00.000Z' },
      address: 'aebagbafaydqqcikbmga2dqpca@in.example.com',
    },
  },
})

export const mailLogRoute: Route = {
  method: 'GET',
  path: `/${mailDelivery.path}`,
  scope: 'any',
  takesBody: false,
  run: showLog,
  describe: describeLog,
}

/** An admin sees all deliveries, a user those to the own addresses. Throws INSUFFICIENT_PERMISSIONS. */
async function showLog(call: Call): Promise<ApiResponse> {
  const { scopes, userId } = call.caller
  const isAdmin = grants(scopes, 'admin:all')
  if (!isAdmin && (userId === undefined || !grants(scopes, message.scopes.read))) throw missingScope('admin:all')
  const response = await list(mailDelivery, call, isAdmin ? [] : [ownedBy(userId!)])
  const { data, ...rest } = JSON.parse(await textOf(response))
  const ids = data.flatMap(({ message_id }: Shown) => message_id ?? [])
  const seen = grants(scopes, message.scopes.read) ? visibleMessages(call, ids) : new Map()
  const shown = data.map((each: Shown) => ({ ...each, ...(seen.get(String(each.message_id)) ?? hidden) }))
  const { parts: _, ...head } = response
  return { ...head, body: JSON.stringify({ data: shown, ...rest }), personal: true }
}

interface Shown {
  message_id: string | null
}

const hidden = { from: null, subject: null, message_id: null }

function ownedBy(userId: string): Approached {
  return conditionBy(mailDelivery, 'door', { sql: 'user_id = ?', params: [userId] })
}

function describeLog(doc: Describer): Description {
  return {
    ...doc.operation(mailDelivery, 'list'),
    scopes: ['admin:all', message.scopes.read],
    details: 'With `admin:all`. Other users see what arrived at their own addresses.',
  }
}
