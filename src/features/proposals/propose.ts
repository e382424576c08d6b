import type { ApiResponse } from '../../engine/api/call/http-response.ts'
import type { Around } from '../../engine/api/call/route.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { findText } from '../../engine/records/select.ts'
import { tryOutAlone } from '../../store/try-out.ts'
import { proposal } from './proposal.ts'
import { insertProposal, type NewProposal } from './store.ts'
import { type ProposedRequest, type Trial, traceRequest } from './trial.ts'

/**
 * Tries a request out, and stores it with what it would change, for a user to decide. The response is the proposal; of a request that would
 * change nothing, none is stored, and the response is that of `trying`.
 */
export function proposing(
  resources: readonly Resource[],
  what: Pick<NewProposal, 'keyId' | 'client' | 'tool' | 'request'>,
): Around {
  return (write) => async (run) => {
    const trial = await tryOutAlone(write, (tx, caller) => {
      return traceRequest(tx, resources, what.request, () => run(tx, caller))
    })
    return write((tx) => {
      if (trial.total === 0) return shown(trial)
      const id = insertProposal(tx, { ...what, ...trial })
      return { status: 202, body: `{"proposal":${findText(proposal, tx, id)}}` }
    })
  }
}

/** Tries a request out. The response is what it would be, and what would change. */
export function trying(resources: readonly Resource[], request: ProposedRequest): Around {
  return (write) => (run) =>
    tryOutAlone(write, (tx, caller) => shown(traceRequest(tx, resources, request, () => run(tx, caller))))
}

function shown({ response, changes, total }: Trial): ApiResponse {
  const found = JSON.stringify({ dry_run: true, changes, changes_total: total }).slice(1)
  return { ...response, body: `${response.body.slice(0, -1)},${found}` }
}
