import type { ApiResponse } from '../../engine/api/call/http-response.ts'
import { isPlainObject } from '../../engine/records/kinds/fields.ts'
import { forbidden } from '../../errors.ts'
import type { Exchange } from '../../http/exchange.ts'
import { TooLongHere } from '../../http/long-request.ts'
import { responseTo } from '../../http/problem.ts'
import { beginningOf } from '../../lib/text.ts'
import type { Agent, JsonBody } from '../protocol/agent.ts'
import { type Message, RpcError } from '../protocol/message.ts'
import { readArguments } from './arguments.ts'
import { tools, toolsOf } from './index.ts'
import type { Tool } from './tool.ts'

/** What an agent can do about an error, by its code. */
const advice: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: 'Correct the named values and call again. describe shows the fields of a type.',
  INVALID_REQUEST: 'Correct the arguments and call again.',
  NOT_FOUND: 'Find the id with search or list_records.',
  INSUFFICIENT_PERMISSIONS: 'Do not try again. Tell the user which permission is missing.',
  FEATURE_NOT_ENABLED: 'Do not try again. Tell the user that the plan does not include this.',
  PLAN_LIMIT_EXCEEDED: 'Do not try again. Tell the user that the limit of the plan is reached.',
  ALREADY_EXISTS: 'Find the existing record with search, and change that one.',
  CONFLICT: 'Do what the message says. If it names no way, tell the user.',
  INTERNAL_ERROR: 'Tell the user, with request_id.',
}

/** The result of `tools/call`. What a tool refuses is a result with `isError`. Throws RpcError: the tool does not exist. */
export async function callTool(agent: Agent, params: Message['params'], state: Exchange): Promise<JsonBody> {
  const { name, arguments: given, inputResponses, requestState } = params
  if (typeof name !== 'string') throw new RpcError('invalidParams', 'params.name must be the name of a tool')
  const known = tools.find((tool) => tool.name === name)
  if (!known) throw new RpcError('invalidParams', `Unknown tool: ${beginningOf(name, 100)}`)
  const offered = toolsOf(agent).find(({ tool }) => tool === known)
  try {
    if (!offered) throw forbidden(notOffered(agent, known))
    agent.requireCapacity()
    const values = readArguments(offered.properties, given)
    const outcome = await known.run(agent, values, { inputResponses, requestState })
    if (known.kind === 'read') agent.requireCapacity() // others have to say what they have changed
    if ('inputRequests' in outcome) return { ...outcome }
    return { content: [textOf(outcome)], structuredContent: outcome, isError: false }
  } catch (thrown) {
    if (thrown instanceof RpcError || thrown instanceof TooLongHere) throw thrown
    return refusal(known, given, responseTo(thrown, state), agent.requestId)
  }
}

function notOffered({ mode }: Agent, { name, kind }: Tool): string {
  if (mode === 'read' && kind !== 'read') return `${name} is not available: this connection only reads`
  return `${name} is not available: the key does not have a scope for it`
}

/** The error of the API with the names that arguments have here. */
function refusal(tool: Tool, given: unknown, response: ApiResponse, request_id: string): JsonBody {
  const { error } = JSON.parse(response.body, (member, value) => {
    return member === 'field' || member === 'message' ? renamed(value, tool) : value
  })
  const isInternal = error.code === 'INTERNAL_ERROR'
  const isTemporary = error.code === 'SERVICE_UNAVAILABLE' || response.headers?.includes('Retry-After')
  const advice = isTemporary ? adviceToWait(tool, given) : adviceOn(tool, error.code, response)
  const shown = { error: { ...error, advice, ...(isInternal && { request_id }) } }
  return { content: [textOf(shown)], structuredContent: shown, isError: true }
}

/** A message begins with the name of what is wrong. */
function renamed(text: string, { renames }: Tool): string {
  return text.replaceAll('Idempotency-Key', 'operation_id').replace(/^\w+/, (name) => renames?.get(name) ?? name)
}

/** What has failed for the time being may have written all the same. */
function adviceToWait({ kind }: Tool, given: unknown): string {
  const { dry_run, operation_id } = isPlainObject(given) ? given : {}
  if (kind === 'read' || dry_run === true) return 'Wait some seconds, then call again.'
  if (typeof operation_id === 'string') return 'Wait some seconds, then call again with the same operation_id.'
  return 'Wait some seconds, find out with list_changes whether it has changed something, and call again if not.'
}

function adviceOn({ notFound }: Tool, code: string, { status, headers = [] }: ApiResponse): string | undefined {
  const survivor = /([^/]+)>; rel="canonical"/.exec(headers.join('\n'))
  if (survivor) return `It was merged into ${survivor[1]}: read that record.`
  if (notFound && code === 'NOT_FOUND') return notFound
  return status === 412 ? 'Read the record again, and decide with its current values.' : advice[code]
}

function textOf(value: unknown) {
  return { type: 'text', text: JSON.stringify(value) }
}
