import { readCount } from '../../changes/feed-query.ts'
import type { ApiResponse } from '../../engine/api/call/http-response.ts'
import type { Call, Route } from '../../engine/api/call/route.ts'
import { readParameters } from '../../engine/finding/query/parameters.ts'
import { invalid } from '../../engine/records/definition/faults.ts'
import type { Describer, JsonSchema } from '../../engine/records/describe.ts'
import { type Detail, validationError } from '../../errors.ts'
import { pingType } from '../../features/webhooks/sender/messages.ts'
import { eventTypes } from '../../features/webhooks/webhook.ts'
import { secondMs } from '../../lib/clock.ts'
import { capturedMax } from '../inbox.ts'
import { data } from '../read-members.ts'
import type { World } from '../world.ts'
import { type ControlDescription, controlRoute, momentSchema, textSchema } from './control.ts'

const waitSecondsMax = 30
const types: readonly string[] = [...eventTypes, pingType]

/** Shows the deliveries to `kontor:inbox` (decision I9). */
export function inboxRoutes(world: World): Route[] {
  return [
    controlRoute({
      ...{ method: 'GET', path: '/inbox', takesParameters: true },
      run: (call) => read(world, call),
      describe: describeGet,
    }),
    controlRoute({
      ...{ method: 'DELETE', path: '/inbox' },
      run: () => data(world.instance.inbox.clear()),
      describe: describeDelete,
    }),
  ]
}

async function read({ instance }: World, { query }: Call): Promise<ApiResponse> {
  const details: Detail[] = []
  const given = readParameters(query, ['type', 'count', 'wait'], details)
  const count = readCount(given, { name: 'count', min: 0, max: capturedMax, fallback: 1 }, details)
  const wait = readCount(given, { name: 'wait', min: 0, max: waitSecondsMax, fallback: 0 }, details)
  const type = given.get('type')
  if (type !== undefined && !types.includes(type))
    details.push(invalid('type', `type must be one of: ${types.join(', ')}`))
  if (details.length > 0) throw validationError(details)
  if (wait > 0) await instance.inbox.wait({ type, count, ms: wait * secondMs })
  return data(instance.inbox.find(type))
}

const example = {
  id: 'msg_0190a2b0-3333-7000-8000-2b3c4d5e6f70_12',
  webhook_id: '0190a2b0-3333-7000-8000-2b3c4d5e6f70',
  type: 'deal.won',
  at: '2026-01-05T09:00:00.000Z',
  headers: { 'webhook-id': 'msg_0190a2b0-3333-7000-8000-2b3c4d5e6f70_12' },
  body: { type: 'deal.won', seq: 12 },
  text: '{"type":"deal.won","seq":12}',
}

function listSchema(doc: Describer): JsonSchema {
  const object: JsonSchema = { type: 'object', additionalProperties: true }
  const delivery = doc.schema('SandboxDelivery', () =>
    doc.object({
      ...{ id: textSchema, webhook_id: textSchema, type: textSchema, at: momentSchema },
      headers: { ...object, description: 'As they would have been sent. They verify with the webhook’s secret.' },
      body: object,
      text: { type: 'string', description: 'The body as text, which is signed.' },
    }),
  )
  return { type: 'array', items: delivery }
}

function describeGet(doc: Describer): ControlDescription {
  return {
    id: 'listSandboxInbox',
    summary: 'List captured deliveries',
    details: 'Deliveries to webhooks with the URL `kontor:inbox`, oldest first: the newest 1,000.',
    query: [
      { name: 'type', schema: { type: 'string', enum: types }, about: 'Only deliveries of this type.' },
      { name: 'count', schema: { type: 'integer', default: 1 }, about: 'The number of deliveries to wait for.' },
      { name: 'wait', schema: { type: 'integer', default: 0 }, about: 'The longest wait in seconds, at most 30.' },
    ],
    response: { about: 'The deliveries.', schema: doc.envelope('SandboxInbox', listSchema(doc)) },
    example: { query: { type: 'deal.won', wait: '5' }, response: { data: [example] } },
  }
}

function describeDelete(doc: Describer): ControlDescription {
  return {
    id: 'clearSandboxInbox',
    summary: 'Remove captured deliveries',
    conditional: false,
    response: { about: 'What was removed.', schema: doc.envelope('SandboxInboxCleared', listSchema(doc)) },
    example: { response: { data: [example] } },
  }
}
