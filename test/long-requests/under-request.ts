import { contact } from '../../src/crm/contact.ts'
import type { Resource } from '../../src/engine/records/definition/resource.ts'
import { type JsonObject, readCreate } from '../../src/engine/records/rows/validate.ts'
import { insert } from '../../src/engine/records/rows/write.ts'
import type { Store } from '../../src/store/store.ts'
import type { Client } from '../support/client.ts'

/** The workspace of a client's key. */
export function workspaceOf(store: Store, { keyId }: Client): number {
  return store.access.value<number>('SELECT workspace_id FROM api_key WHERE id = ?', keyId)!
}

/** Creates many records in one transaction, as one request of the client's key would. Returns their ids. */
export function createUnder(
  store: Store,
  client: Client,
  requestId: string,
  bodies: readonly JsonObject[],
  resource: Resource = contact,
): Promise<string[]> {
  const origin = { actor: { type: 'api_key', id: client.keyId }, requestId } as const
  const run = (tx: Parameters<Parameters<Store['write']>[1]>[0]) =>
    bodies.map((body) => insert(resource, tx, readCreate(resource, tx, body), {}).id)
  return store.write(workspaceOf(store, client), run, origin)
}

/** Bodies of contacts: `Ada 1`, `Ada 2`, … */
export function people(count: number, more: JsonObject = {}): JsonObject[] {
  return Array.from({ length: count }, (_, at) => ({ first_name: `Ada ${at + 1}`, ...more }))
}
