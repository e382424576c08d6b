import type { Resource } from '../engine/definition/resource.ts'
import type { Call, InnerRequest } from '../engine/route.ts'
import { findText } from '../engine/select.ts'
import { tryChanges } from './changes.ts'
import { proposal } from './proposal.ts'
import { insertProposal, type NewProposal } from './store.ts'

/** Tries a request out, and stores it with what it would change, for a user to decide. The response is the proposal. */
export function proposing(
  resources: readonly Resource[],
  what: Pick<NewProposal, 'keyId' | 'client' | 'tool' | 'request'>,
): NonNullable<InnerRequest['around']> {
  return (write) => (run) =>
    write((tx, caller) => {
      const { changes, total } = tryChanges(tx, resources, () => run(tx, caller))
      const id = insertProposal(tx, { ...what, changes, total })
      return { status: 202, body: `{"data":${findText(proposal, tx, id)}}` }
    })
}

/** Tries a request out. The response is what it would be, and what would change. */
export function trying(resources: readonly Resource[]): (write: Call['write']) => Call['write'] {
  return (write) => (run) =>
    write((tx, caller) => {
      const { result, changes, total } = tryChanges(tx, resources, () => run(tx, caller))
      const found = JSON.stringify({ dry_run: true, changes, changes_total: total }).slice(1)
      return { ...result, body: `${result.body.slice(0, -1)},${found}` }
    })
}
