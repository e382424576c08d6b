import { loggedResources } from '../../crm/index.ts'
import type { Call, InnerRequest } from '../../engine/route.ts'
import { validationError } from '../../errors.ts'
import { proposing, trying } from '../../proposals/propose.ts'
import type { Writer } from '../../store/reader.ts'
import type { Agent, JsonBody } from '../agent.ts'
import { requireMode } from '../mode.ts'
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
  /** The entity tag that the record must still have. */
  ifMatch?: string | undefined
  /** Runs first in the transaction, and may throw. */
  before?: (tx: Writer) => void
}

/** With a response, so that a repeated call with the same `operation_id` gets the id of the request that wrote. */
const requestHeader = 'Kontor-Request-Id'

/** Makes a change, tries it out, or proposes it, as the mode and `dry_run` say. */
export async function change(agent: Agent, given: Arguments, request: ChangeRequest): Promise<JsonBody> {
  if (given.dry_run === true) return tryOut(agent, request)
  const headers = { ...matching(request), ...operationOf(given, request) }
  if (agent.mode === 'propose') return propose(agent, request, headers)
  const response = await perform(agent, request, { around: (write) => directly(agent, request, write), headers })
  const names = response.headers ?? []
  const request_id = names[names.indexOf(requestHeader) + 1]
  return { ...JSON.parse(response.body), undo: { request_id } }
}

/** What a change would do. */
export async function tryOut(agent: Agent, request: ChangeRequest): Promise<JsonBody> {
  const { body } = await perform(agent, request, { around: trying(loggedResources), headers: matching(request) })
  return JSON.parse(body)
}

async function propose(agent: Agent, request: ChangeRequest, headers: Record<string, string>): Promise<JsonBody> {
  const { method, target, body, tool } = request
  const what = { keyId: agent.credential.keyId, client: agent.name, tool, request: { method, target, body } }
  const store = proposing(loggedResources, what)
  const around = (write: Call['write']) => store(checking(agent, 'propose', write))
  const response = await perform(agent, request, { around, headers })
  const url = `${agent.consoleUrl}${agent.credential.environment === 'test' ? '/test' : ''}/proposals`
  const note = `Nothing has changed yet. A person applies or rejects the proposal at ${url}.`
  return { proposal: JSON.parse(response.body).data, url, note }
}

function perform({ perform, name }: Agent, { method, target, body, tool }: ChangeRequest, rest: Partial<InnerRequest>) {
  return perform({ method, target, body, cause: { mcp: { client: name, tool } }, ...rest })
}

function directly(agent: Agent, { before }: ChangeRequest, write: Call['write']): Call['write'] {
  return (run) =>
    checking(
      agent,
      'write',
      write,
    )((tx, caller) => {
      before?.(tx)
      const response = run(tx, caller)
      return { ...response, headers: [...(response.headers ?? []), requestHeader, tx.origin.requestId!] }
    })
}

/** The mode of the key may have become narrower since the request was received. */
function checking({ credential }: Agent, mode: Agent['mode'], write: Call['write']): Call['write'] {
  return (run) =>
    write((tx, caller) => {
      requireMode(credential.recheck().mcpMode, mode)
      return run(tx, caller)
    })
}

function matching({ ifMatch }: ChangeRequest): Record<string, string> {
  return ifMatch === undefined ? {} : { 'if-match': ifMatch }
}

function operationOf({ operation_id }: Arguments, { tool }: ChangeRequest): Record<string, string> {
  if (operation_id === undefined) return {}
  if (!/^[\x21-\x7e]+$/.test(String(operation_id))) {
    const message = 'operation_id must be 1 to 200 visible ASCII characters'
    throw validationError([{ field: 'operation_id', message, code: 'INVALID_FORMAT' }])
  }
  return { 'idempotency-key': `mcp:${tool}:${operation_id}` }
}
