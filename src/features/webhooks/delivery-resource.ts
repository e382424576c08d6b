import { resource } from '../../engine/records/define.ts'
import type { JsonSchema } from '../../engine/records/definition/about.ts'
import type { Kind } from '../../engine/records/definition/resource.ts'
import { moment, shownAs } from '../../engine/records/kinds/fields.ts'
import { creationFilter, momentFilter, uuidFilter } from '../../engine/records/kinds/filters.ts'
import { shownChoice } from '../../engine/records/kinds/text-kinds.ts'
import { pingType } from './sender/messages.ts'
import { deliveryStatuses } from './stored/deliveries.ts'
import { eventTypes } from './webhook.ts'

const uuid = { type: 'string', format: 'uuid' }
const types = [...eventTypes, pingType, 'log.pruned']

/** What a webhook has sent in the last 30 days (decision H5). */
export const webhookDelivery = resource('webhook_delivery', {
  label: 'Delivery',
  path: 'api-v1-webhooks/:webhook_id/deliveries',
  scope: { read: 'read:all', write: 'write:all' },
  stamped: false,
  counted: false,
  operations: ['list'],
  fields: {
    webhook_id: shownAs('uuid', uuid, { filter: uuidFilter }),
    seq: shownAs('integer', { type: ['integer', 'null'] }, { sqlType: 'INTEGER' }),
    type: shownChoice('type', types),
    status: shownChoice('status', deliveryStatuses),
    attempts: attempts(),
    next_attempt_at: shownAs('moment', { type: ['string', 'null'], format: 'date-time' }, { filter: momentFilter }),
    created_at: { ...shownAs('moment', moment().shape), filter: creationFilter },
  },
  filters: ['status', 'type', 'created_at'],
  sorts: ['created_at'],
  defaultSort: '-created_at',
  pageSize: { default: 50, max: 100 },
  about: {
    summary: 'The changes that a webhook has sent, newest first, and the outcome of each attempt.',
    fields: {
      seq: 'The number of the change; null for a ping.',
      status: '`pending`: another attempt follows; `failed`: the last attempt has failed.',
      attempts: 'The newest 20 attempts, oldest first.',
      next_attempt_at: 'When the next attempt is due.',
    },
    example: { type: 'deal.won', status: 'succeeded' },
  },
})

function attempts(): Kind {
  const properties: Record<string, JsonSchema> = {
    at: { type: 'string', format: 'date-time' },
    status: { type: ['integer', 'null'], description: 'The status of the response.' },
    ms: { type: 'integer', minimum: 0, description: 'How long it took.' },
    response: { type: ['string', 'null'], description: 'The first 2 KiB of the response.' },
    error: { type: ['string', 'null'], description: 'Why there was no response.' },
  }
  const shape = { type: 'array', items: { type: 'object', properties, required: Object.keys(properties) } }
  return shownAs('attempts', shape, { json: (column) => `json(${column})` })
}
