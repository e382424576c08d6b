import type { TestContext } from 'node:test'
import { contact } from '../../../src/crm/contact.ts'
import { indexedAtOnce } from '../../../src/engine/records/declared/declare.ts'
import { findStaleValues } from '../../../src/engine/records/declared/verify.ts'
import { readCreate } from '../../../src/engine/records/rows/validate.ts'
import { insert } from '../../../src/engine/records/rows/write.ts'
import { start, type WorkPlace } from '../../support/start.ts'

export const many = indexedAtOnce + 600

/** A server with more contacts than are indexed at once. Their `n` counts from 0. */
export async function filled(t: TestContext, directory: string, work: WorkPlace) {
  const server = await start(t, { directory, work })
  const client = await server.client()
  const workspaceId = server.store.access.value<number>('SELECT workspace_id FROM api_key WHERE id = ?', client.keyId)!
  await server.store.write(workspaceId, (tx) => {
    for (let n = 0; n < many; n++) {
      const body = { first_name: `c${n}`, last_name: 'Test', metadata: { n, half: n % 2 === 0 } }
      insert(contact, tx, readCreate(contact, tx, body), {})
    }
  })
  const stale = () => [...findStaleValues(contact, server.store.workspace(workspaceId))]
  return { server, client, workspaceId, stale }
}
