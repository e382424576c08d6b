import { latestOf } from '../../changes/stored-change.ts'
import type { Around, Call, InnerRequest } from '../../engine/api/call/route.ts'
import { invalid } from '../../engine/records/definition/faults.ts'
import { validationError } from '../../errors.ts'
import { loggedResources } from '../../features/index.ts'
import { proposing, trying } from '../../features/proposals/propose.ts'
import { parseExact } from '../../lib/exact-json.ts'
import type { Writer } from '../../store/reader.ts'
import type { Agent, JsonBody } from '../protocol/agent.ts'
import { requireMode } from '../protocol/mode.ts'
import type { Arguments, Properties } from './arguments.ts'

/** What every tool that writes accepts. */
export const writing: Properties = {
  dry_run: { type: 'boolean', description: 'Only show what would change' },
  operation_id: {
    type: 'string',
    maxLength: 200,
    description: 'Your id for this change: a repeated call does not repeat it',
  },
}

/** A request of the API that changes records, on behalf of a tool. */
export interface ChangeRequest extends Pick<InnerRequest, 'method' | 'target' | 'body'> {
  tool: string
  /** Runs first in the transaction, and may throw. A repeated operation is not checked again. */
  before?: ((tx: Writer) => void) | undefined
  /** Runs last, with the number of the newest change before the request, and may throw, so that nothing is written. */
  after?: ((tx: Writer, latest: number) => void) | undefined
}

/** Makes a change, tries it out, or proposes it, as the mode and `dry_run` say. */
export async function change(agent: Agent, given: Arguments, request: ChangeRequest): Promise<JsonBody> {
  if (given.dry_run === true) return tryOut(agent, request)
  const operation = operationOf(given, request)
  if (agent.mode === 'propose') return perform(agent, request, { around: proposed(agent, request), operation })
  const aroundParts: Around = (write) => checking(agent, request, write)
  return perform(agent, request, { around: made(agent, request), aroundParts, operation })
}

/** What a change would do. */
export function tryOut(agent: Agent, request: ChangeRequest): Promise<JsonBody> {
  const store = trying(loggedResources, request)
  return perform(agent, request, { around: (write) => checking(agent, request, store(write)) })
}

function made(agent: Agent, request: ChangeRequest): Around {
  return (write) => {
    const shown = showing(write, (body, tx) => ({ ...body, undo: { request_id: tx.origin.requestId } }))
    return checking(agent, request, shown)
  }
}

function proposed(agent: Agent, request: ChangeRequest): Around {
  const { method, target, body, tool } = request
  const { keyId, environment } = agent.credential
  const store = proposing(loggedResources, { keyId, client: agent.name, tool, request: { method, target, body } })
  const url = `${agent.consoleUrl}${environment === 'test' ? '/test' : ''}/proposals`
  const note = `Nothing changes until a person applies the proposal at ${url}.`
  const none = 'Nothing would change, so there is no proposal.'
  return (write) => {
    const shown = showing(write, (body) => ('proposal' in body ? { ...body, url, note } : { ...body, note: none }))
    return checking(agent, request, store(shown))
  }
}

async function perform(
  { perform, name }: Agent,
  { method, target, body, tool }: ChangeRequest,
  rest: Pick<InnerRequest, 'around' | 'aroundParts' | 'operation'>,
): Promise<JsonBody> {
  const response = await perform({ method, target, body, cause: { mcp: { client: name, tool } }, ...rest })
  return parseExact(response.body) as JsonBody
}

/** Checks in the transaction. The mode of the key may have become narrower since the request was received. */
function checking({ credential, mode }: Agent, { before, after }: ChangeRequest, write: Call['write']): Call['write'] {
  return (run) =>
    write((tx, caller) => {
      requireMode(credential.recheck().mcpMode, mode)
      before?.(tx)
      const latest = latestOf(tx)
      const response = run(tx, caller)
      after?.(tx, latest)
      return response
    })
}

/** Responds with the result of the tool, which is then stored for repeated calls: they get it whatever the mode is by then. */
function showing(write: Call['write'], show: (body: JsonBody, tx: Writer) => JsonBody): Call['write'] {
  return (run) =>
    write((tx, caller) => {
      const response = run(tx, caller)
      return { ...response, body: JSON.stringify(show(parseExact(response.body) as JsonBody, tx)) }
    })
}

function operationOf({ operation_id }: Arguments, { tool }: ChangeRequest): string | undefined {
  if (operation_id === undefined) return undefined
  if (/^[\x21-\x7e]+$/.test(String(operation_id))) return `mcp ${tool} ${operation_id}`
  const message = 'operation_id must be 1 to 200 visible ASCII characters'
  throw validationError([invalid('operation_id', message, 'INVALID_FORMAT')])
}
