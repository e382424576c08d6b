import { ApiError } from '../../errors.ts'
import type { Plan } from './plan.ts'

/** Resources whose changes are never undone, with the reason. */
const final: Readonly<Record<string, string>> = {
  activity: 'Activities are never changed or deleted',
  api_key: 'Changes of API keys are not undone: change or revoke the key',
  user: 'Changes of users are not undone: change the user',
  webhook: 'Changes of webhooks are not undone: change the webhook',
  bulk_job: 'A job is not undone: undo its changes by its bulk_job_id',
}

/** Those whose records are moved by a merge, which is undone (decision K6). */
const movable: readonly string[] = ['activity']

/** Why changes of a record are never undone, if so. */
export function refusalOf({ resource }: { resource: string }, { existence }: Plan): string | undefined {
  return movable.includes(resource) && existence === undefined ? undefined : final[resource]
}

/** Whether an error is in the way of a record, and not a fault. */
export function isObstacle(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code !== 'SERVICE_UNAVAILABLE'
}
