import { findWorkspaceId } from '../access/company.ts'
import { logIdOf } from '../changes/log-name.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import { ApiError } from '../errors.ts'
import { loggedResources } from '../features/index.ts'
import { pingMessage, pingType, readMessages } from '../features/webhooks/sender/messages.ts'
import { parseUuid } from '../lib/uuid.ts'
import { team } from '../store/visibility.ts'
import { type ConsoleRoute, data, type MemberCall } from './route.ts'

/** The body of a delivery as the next attempt would send it, by today's rights. The API has no copy of it: it is made from the log. */
export const webhookRequestRoutes: ConsoleRoute[] = [
  { method: 'GET', path: '/console/webhook-deliveries/:id/request', for: 'member', run: showRequest },
]

interface Stored {
  webhook_id: string
  number: number
  type: string
  payload: 'full' | 'thin'
}

function showRequest({ store, session, environment, params }: MemberCall): ApiResponse {
  if (!session.features.has('webhooks')) {
    throw new ApiError('FEATURE_NOT_ENABLED', `Your plan (${session.plan}) does not include webhooks`)
  }
  const workspaceId = findWorkspaceId(store.access, session.companyId, environment)
  const reader = store.workspace(workspaceId, { view: team })
  const sql = `SELECT webhook_id, number, type, payload FROM webhook_delivery
    JOIN webhook ON webhook.workspace_id = webhook_delivery.workspace_id AND webhook.id = webhook_id
    WHERE webhook_delivery.workspace_id = :workspace AND webhook_delivery.id = ? AND webhook.deleted_at IS NULL`
  const stored = reader.row<Stored>(sql, parseUuid(params.id!) ?? '')
  if (!stored) throw new ApiError('NOT_FOUND', 'Delivery not found')
  const { webhook_id, number, type, payload } = stored
  const logId = logIdOf(store.access, workspaceId)
  if (type === pingType) return data({ body: pingMessage(number, webhook_id, logId).body })
  const reading = { resources: loggedResources, reader, logId, types: [type], payload }
  return data({ body: readMessages(reading, { after: number - 1, until: number, limit: 1 }).messages[0]?.body ?? null })
}
