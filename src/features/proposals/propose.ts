import { mayReadChange } from '../../changes/may-read.ts'
import type { ApiResponse } from '../../engine/api/call/http-response.ts'
import type { Around, Caller } from '../../engine/api/call/route.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { findText } from '../../engine/records/select.ts'
import { parseExact } from '../../lib/exact-json.ts'
import { tryOutAlone } from '../../store/try-out.ts'
import type { RecordChange } from './changes.ts'
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
    return write((tx, caller) => {
      if (trial.total === 0) return shown(trial)
      const id = insertProposal(tx, { ...what, ...trial, changes: readable(resources, readers, trial.changes) })
      const { changes, ...rest } = parseExact(findText(proposal, tx, id)) as { changes: RecordChange[] }
      return {
        status: 202,
        body: JSON.stringify({ proposal: { ...rest, changes: readable(resources, caller, changes) } }),
      }
    })
  }
}

/** Tries a request out. The response is what it would be, and what would change. */
export function trying(resources: readonly Resource[], request: ProposedRequest): Around {
  return (write) => (run) =>
    tryOutAlone(write, (tx, caller) => {
      const trial = traceRequest(tx, resources, request, () => run(tx, caller))
      return shown({ ...trial, changes: readable(resources, caller, trial.changes) })
    })
}

/** The scope that everybody has who reads proposals. It does not allow them to read the changes of every resource. */
const readers = { scopes: new Set([proposal.scopes.read]) }

/** Of records that the caller may not read, only that they would change: who only writes learns no values by a trial (decision K2). */
function readable(
  resources: readonly Resource[],
  { scopes }: Pick<Caller, 'scopes'>,
  changes: readonly RecordChange[],
): RecordChange[] {
  const isReadable = ({ type }: RecordChange) =>
    resources.some((resource) => type.startsWith(`${resource.name}.`) && mayReadChange(resource, {}, scopes))
  return changes.map((change) => (isReadable(change) ? change : { ...change, title: '', fields: {} }))
}

function shown({ response, changes, total }: Trial): ApiResponse {
  const found = JSON.stringify({ dry_run: true, changes, changes_total: total }).slice(1)
  return { ...response, body: `${response.body.slice(0, -1)},${found}` }
}
