import { requireFeature } from '../../access/plan.ts'
import { grants, missingScope } from '../../access/scopes.ts'
import { boundsOf } from '../../changes/stored-change.ts'
import { type ApiResponse, shown } from '../../engine/api/call/http-response.ts'
import { type Call, type Caller, checkingWrites, type Route } from '../../engine/api/call/route.ts'
import { checkListQuery, list } from '../../engine/api/lists/list.ts'
import { routesOf } from '../../engine/api/routes.ts'
import { conditionOn } from '../../engine/finding/list/approach.ts'
import { refuseParameters } from '../../engine/finding/query/parameters.ts'
import type { Row } from '../../engine/records/definition/change.ts'
import { invalid } from '../../engine/records/definition/faults.ts'
import { readCreate, readPatch } from '../../engine/records/rows/validate.ts'
import { findId, lookupText } from '../../engine/records/select.ts'
import { ApiError, validationError } from '../../errors.ts'
import type { SqlValue, Writer } from '../../store/reader.ts'
import { webhookDelivery } from './delivery-resource.ts'
import { describeDeliveries, describePing, describeRedeliver, describeReplay, describeRotate } from './describe.ts'
import { readReplay, readRotation } from './requests.ts'
import { pingType } from './sender/messages.ts'
import { insertDue, makeDue, nextPing } from './stored/deliveries.ts'
import { beginReplay, rotateSecret } from './stored/webhook-state.ts'
import { webhook, webhooksChanged } from './webhook.ts'

const path = `/${webhook.path}`
const { read, write } = webhook.scopes
const feature = 'webhooks'
const common = { scope: write, bodySize: 'small' } as const

/** The endpoints of webhooks (decisions H1, H2, H5). */
export const webhookRoutes: readonly Route[] = [
  ...routesOf(webhook).map(withCheck),
  {
    ...{ method: 'POST', path: `${path}/:id/rotate`, ...common, takesBody: true, bodyOptional: true },
    ...{ run: rotate, describe: describeRotate },
  },
  {
    ...{ method: 'POST', path: `${path}/:id/ping`, ...common, takesBody: false },
    ...{ run: ping, describe: describePing },
  },
  {
    ...{ method: 'POST', path: `${path}/:id/replay`, ...common, takesBody: true },
    ...{ run: replay, describe: describeReplay },
  },
  {
    ...{ method: 'GET', path: `${path}/:webhook_id/deliveries`, scope: read, takesBody: false },
    ...{ run: listDeliveries, describe: describeDeliveries },
  },
  {
    ...{ method: 'POST', path: `${path}/:webhook_id/deliveries/:delivery_id/redeliver`, ...common, takesBody: false },
    ...{ run: redeliver, describe: describeRedeliver },
  },
].map((route) => ({ ...(route as Route), feature }))

/** The fields that decide what is sent where. */
const sending = ['url', 'events', 'payload', 'is_active']

const alsoReads = `What decides what is sent (${sending.map((name) => `\`${name}\``).join(', ')}) requires \`${read}\`, too.`

/** A URL is refused that nothing can be delivered to, and a key that may not read what would be sent. */
function withCheck(route: Route): Route {
  if (route.method !== 'POST' && route.method !== 'PATCH') return route
  const given = route.method === 'POST' ? readNew : readChanges
  return {
    ...route,
    run: (call) => {
      const values = given(call)
      requireDeliverable(call, values.url)
      return route.run(sending.some((name) => name in values) ? requiringRead(call) : call)
    },
    describe: (doc) => {
      const description = route.describe(doc)
      return { ...description, details: [description.details, alsoReads].filter(Boolean).join(' ') }
    },
  }
}

function readNew({ reader, body }: Call): Row {
  return readCreate(webhook, reader, body).values
}

function readChanges({ reader, body }: Call): Row {
  return readPatch(webhook, reader, body)
}

/** Throws INSUFFICIENT_PERMISSIONS, now or at the moment of the write. */
function requiringRead(call: Call): Call {
  requireRead(call.caller)
  return checkingWrites(call, (_, caller) => requireRead(caller))
}

/** Throws INSUFFICIENT_PERMISSIONS if the caller may not read what is sent (decision H1). */
function requireRead({ scopes }: Caller): void {
  if (grants(scopes, read)) return
  throw missingScope(read)
}

/** Throws INSUFFICIENT_PERMISSIONS, FEATURE_NOT_ENABLED if the caller may not let a webhook that others created send. */
export function requireSending(caller: Caller): void {
  requireRead(caller)
  requireFeature(feature, caller)
}

/** Throws VALIDATION_ERROR if nothing can be delivered to this URL (decision H6). */
export function requireDeliverable({ refusalOf }: Pick<Call, 'refusalOf'>, url: SqlValue | undefined): void {
  const reason = typeof url === 'string' ? refusalOf(url) : undefined
  if (reason !== undefined) throw validationError([invalid('url', reason)])
}

function withSecret(status: number, tx: Writer, id: string, secret: string): ApiResponse {
  const text = lookupText(webhook, tx, id)!
  return {
    ...shown(status, text, webhook),
    body: JSON.stringify({ data: { ...JSON.parse(text), secret } }),
    secret: true,
  }
}

function rotate(call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  const overlapMs = readRotation(call.body)
  return call.write((tx) => {
    const id = findId(webhook, tx, call.params.id!)
    const secret = rotateSecret(tx, id, overlapMs)
    tx.announce(webhooksChanged)
    return withSecret(200, tx, id, secret)
  })
}

function ping(call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  return call.write((tx) => {
    const id = findActive(tx, call.params.id!)
    const nowMs = Date.parse(tx.now)
    const delivery = insertDue(tx, id, nextPing(tx, id, nowMs), pingType, nowMs)
    return queued(tx, id, lookupText(webhookDelivery, tx, delivery)!)
  })
}

function replay(call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  return call.write((tx) => {
    const { after, until, onlyFailed } = readReplay(call.body, boundsOf(tx))
    const id = findActive(tx, call.params.id!)
    if (!beginReplay(tx, id, { after, until, onlyFailed })) {
      throw new ApiError('CONFLICT', 'A replay of this webhook is still running')
    }
    return queued(tx, id, JSON.stringify({ after, until, only_failed: onlyFailed }))
  })
}

function listDeliveries(call: Call): ReturnType<Route['run']> {
  checkListQuery(webhookDelivery, call)
  const id = findId(webhook, call.reader, call.params.webhook_id!)
  return list(webhookDelivery, call, [conditionOn(webhookDelivery, 'webhook_id', 'eq', id)])
}

function redeliver(call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  return call.write((tx) => {
    const webhookId = findActive(tx, call.params.webhook_id!)
    const id = findId(webhookDelivery, tx, call.params.delivery_id!)
    const { webhook_id, seq, type } = JSON.parse(lookupText(webhookDelivery, tx, id)!)
    if (webhook_id !== webhookId) throw new ApiError('NOT_FOUND', 'Delivery not found')
    if (type !== pingType && seq < boundsOf(tx).oldest) {
      throw new ApiError('CONFLICT', 'The log no longer has this change')
    }
    makeDue(tx, id, Date.parse(tx.now))
    return queued(tx, webhookId, lookupText(webhookDelivery, tx, id)!)
  })
}

/** The outcome is in the log of deliveries. */
function queued(tx: Writer, id: string, text: string): ApiResponse {
  tx.announce(webhooksChanged)
  return { status: 202, body: `{"data":${text}}`, headers: ['Location', `${path}/${id}/deliveries`] }
}

/** Throws NOT_FOUND, CONFLICT if the webhook is inactive. */
function findActive(tx: Writer, given: string): string {
  const id = findId(webhook, tx, given)
  const isActive = tx.value('SELECT is_active FROM webhook WHERE workspace_id = :workspace AND id = ?', id)
  if (isActive === 1) return id
  throw new ApiError('CONFLICT', 'The webhook is inactive: activate it first')
}
