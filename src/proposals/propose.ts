import type { Resource } from '../engine/definition/resource.ts'
import type { ApiResponse } from '../engine/http-response.ts'
import type { Call, InnerRequest } from '../engine/route.ts'
import { findText } from '../engine/select.ts'
import { proposal } from './proposal.ts'
import { insertProposal, type NewProposal } from './store.ts'
import { type ProposedRequest, type Trial, tryRequest } from './trial.ts'

/**
 * Tries a request out, and stores it with what it would change, for a user to decide. The response is the proposal; of a request that would
 * change nothing, none is stored, and the response is that of `trying`.
 */
export function proposing(
  resources: readonly Resource[],
  what: Pick<NewProposal, 'keyId' | 'client' | 'tool' | 'request'>,
): NonNullable<InnerRequest['around']> {
  return (write) => (run) =>
    write((tx, caller) => {
      const trial = tryRequest(tx, resources, what.request, () => run(tx, caller))
      if (trial.total === 0) return shown(trial)
      const id = insertProposal(tx, { ...what, ...trial })
      return { status: 202, body: `{"proposal":${findText(proposal, tx, id)}}` }
    })
}

/** Tries a request out. The response is what it would be, and what would change. */
export function trying(
  resources: readonly Resource[],
  request: ProposedRequest,
): (write: Call['write']) => Call['write'] {
  return (write) => (run) => write((tx, caller) => shown(tryRequest(tx, resources, request, () => run(tx, caller))))
}

function shown({ response, changes, total }: Trial): ApiResponse {
  const found = JSON.stringify({ dry_run: true, changes, changes_total: total }).slice(1)
  return { ...response, body: `${response.body.slice(0, -1)},${found}` }
}
