import { lastActivity } from '../../src/features/last-activity/last-activity.ts'
import type { Client } from '../support/client.ts'
import { caughtUpBy } from '../support/readers.ts'
import type { Server } from '../support/start.ts'

/** Resolves when the reader has dealt with all changes. */
export function caughtUp(server: Server): Promise<unknown> {
  return caughtUpBy(lastActivity, server)
}

/** When something last happened with a record, which only summaries and files show. */
export async function lastOf(client: Client, path: string, id: string): Promise<string | null> {
  const { body } = await client.get(`/api-v1-${path}/summary?id=${id}&group_by=last_activity_at`)
  return body.data[0].group.last_activity_at
}

/** The metadata of an activity that occurred at a time. */
export const occurred = (at: unknown) => ({ metadata: { occurred_at: at } })
