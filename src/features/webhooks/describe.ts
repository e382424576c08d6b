import type { Describer, Description, JsonSchema } from '../../engine/records/describe.ts'
import { webhookDelivery } from './delivery-resource.ts'
import { overlapHoursDefault, overlapHoursMax } from './requests.ts'
import { pingType } from './sender/messages.ts'
import { webhook } from './webhook.ts'

const inactive = 'The webhook is inactive.'
const number = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

export function describeRotate(doc: Describer): Description {
  const { response, example } = doc.operation(webhook, 'create')
  return {
    id: 'rotateWebhookSecret',
    tag: doc.tag(webhook),
    summary: 'Replace the secret of a webhook',
    details: 'During the overlap, deliveries have one signature for each secret.',
    body: doc.schema('RotateWebhookSecret', () => ({
      type: 'object',
      properties: {
        overlap_hours: {
          ...{ type: 'number', minimum: 0, maximum: overlapHoursMax },
          description: `How long the former secret signs, too. Default: ${overlapHoursDefault}.`,
        },
      },
      additionalProperties: false,
    })),
    response: { about: 'The webhook and its new secret.', schema: response.schema, tagged: true },
    example: {
      params: { id: doc.exampleId('webhook') },
      body: { overlap_hours: 24 },
      response: example.response,
    },
  }
}

export function describePing(doc: Describer): Description {
  return {
    id: 'pingWebhook',
    tag: doc.tag(webhook),
    summary: 'Send a test delivery',
    details: 'Its type is `webhook.ping`. It is attempted once: request the deliveries for the outcome.',
    response: { status: 202, about: 'The delivery.', schema: doc.envelope('QueuedPing', doc.record(webhookDelivery)) },
    errors: { CONFLICT: inactive },
    example: {
      params: { id: doc.exampleId('webhook') },
      response: { data: ping(doc) },
    },
  }
}

export function describeReplay(doc: Describer): Description {
  const range: Record<string, JsonSchema> = {
    after: { ...number, description: 'The number of a change. Delivered is what follows it.' },
    until: { ...number, description: 'The number of the last change. Default: the newest.' },
    only_failed: { type: 'boolean', description: 'Only changes whose delivery has failed. Default: false.' },
  }
  return {
    id: 'replayWebhook',
    tag: doc.tag(webhook),
    summary: 'Deliver a range of changes again',
    details: 'Each has the same `webhook-id` as before. One replay of a webhook runs at a time.',
    body: doc.schema('ReplayWebhook', () => ({
      ...{ type: 'object', properties: range, required: ['after'], additionalProperties: false },
    })),
    response: {
      status: 202,
      about: 'The range.',
      schema: doc.envelope(
        'QueuedReplay',
        doc.schema('WebhookReplay', () => doc.object(range)),
      ),
    },
    errors: { CONFLICT: `${inactive} Or its last replay is still running.` },
    example: {
      params: { id: doc.exampleId('webhook') },
      body: { after: 2, until: 4 },
      response: { data: { after: 2, until: 4, only_failed: false } },
    },
  }
}

export function describeDeliveries(doc: Describer): Description {
  const description = doc.operation(webhookDelivery, 'list')
  const { response } = description.example as { response: object }
  return {
    ...description,
    id: 'listWebhookDeliveries',
    tag: doc.tag(webhook),
    summary: 'List the deliveries of a webhook',
    details: 'Newest first. They are kept for 30 days.',
    example: { params: { webhook_id: doc.exampleId('webhook') }, response: { ...response, data: [ping(doc)] } },
  }
}

export function describeRedeliver(doc: Describer): Description {
  return {
    id: 'redeliver',
    tag: doc.tag(webhook),
    summary: 'Deliver a change again',
    details: 'It has the same `webhook-id` as before.',
    response: {
      status: 202,
      about: 'The delivery.',
      schema: doc.envelope('QueuedDelivery', doc.record(webhookDelivery)),
    },
    errors: { CONFLICT: `${inactive} Or its change is no longer in the log.` },
    example: {
      params: { webhook_id: doc.exampleId('webhook'), delivery_id: doc.exampleId('webhook_delivery') },
      response: { data: ping(doc) },
    },
  }
}

function ping(doc: Describer): object {
  return {
    ...{ id: doc.exampleId('webhook_delivery'), webhook_id: doc.exampleId('webhook'), seq: null, type: pingType },
    ...{ status: 'pending', attempts: [], next_attempt_at: doc.madeAt, created_at: doc.madeAt },
  }
}
