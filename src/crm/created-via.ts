import type { Change } from '../engine/records/definition/change.ts'

/** Sets `created_via` in the metadata of a new record. It overwrites the value in the request (decision D10). */
export function markCreatedVia({ tx, after }: Change): void {
  const via = tx.origin.actor.type === 'user' ? 'console' : 'api'
  after.metadata = JSON.stringify({ ...JSON.parse(String(after.metadata)), created_via: via })
}
