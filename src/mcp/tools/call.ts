import type { Exchange } from '../../http/exchange.ts'
import { responseTo } from '../../http/problem.ts'
import type { Agent, JsonBody } from '../agent.ts'
import { type Message, RpcError } from '../message.ts'
import { readArguments } from './arguments.ts'
import { tools, toolsOf } from './index.ts'

/** What an agent can do about an error, by its code. */
const advice: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: 'Correct the named values and call again. describe shows the fields of a type.',
  INVALID_REQUEST: 'Correct the arguments and call again.',
  NOT_FOUND: 'Find the id with search or list_records.',
  INSUFFICIENT_PERMISSIONS: 'Do not try again. Tell the user which permission is missing.',
  FEATURE_NOT_ENABLED: 'Do not try again. Tell the user that the plan does not include this.',
  PLAN_LIMIT_EXCEEDED: 'Do not try again. Tell the user that the limit of the plan is reached.',
  ALREADY_EXISTS: 'Find the existing record with search, and change that one.',
  CONFLICT: 'Read the record again, and decide with its current values.',
  SERVICE_UNAVAILABLE: 'Wait some seconds, then call again with the same operation_id.',
  INTERNAL_ERROR: 'Tell the user, with the id of the request.',
}

/** The result of `tools/call`. What a tool refuses is a result with `isError`. Throws RpcError: the tool does not exist. */
export async function callTool(agent: Agent, params: Message['params'], state: Exchange): Promise<JsonBody> {
  const { name, arguments: given, inputResponses, requestState } = params
  if (typeof name !== 'string') throw new RpcError('invalidParams', 'params.name must be the name of a tool')
  const known = tools.find((tool) => tool.name === name)
  if (!known) throw new RpcError('invalidParams', `Unknown tool: ${name.slice(0, 100)}`)
  const offered = toolsOf(agent).find(({ tool }) => tool === known)
  if (!offered) return refusal('INSUFFICIENT_PERMISSIONS', notOffered(agent, known.name, known.kind))
  try {
    const values = readArguments(offered.properties, given)
    const outcome = await known.run(agent, values, { inputResponses, requestState })
    if ('inputRequests' in outcome) return { ...outcome }
    return { content: [textOf(outcome)], structuredContent: outcome, isError: false }
  } catch (thrown) {
    if (thrown instanceof RpcError) throw thrown
    const { error } = JSON.parse(responseTo(thrown, state).body)
    const { code, message, details } = error
    return refusal(code, message.replaceAll('Idempotency-Key', 'operation_id'), details)
  }
}

function notOffered({ mode }: Agent, name: string, kind: string): string {
  if (mode === 'read' && kind !== 'read') return `${name} is not available: this connection only reads`
  return `${name} is not available: the key does not have a scope for it`
}

function refusal(code: string, message: string, details?: unknown): JsonBody {
  const error = { code, message, ...(details !== undefined && { details }), advice: advice[code] }
  return { content: [textOf({ error })], structuredContent: { error }, isError: true }
}

function textOf(value: unknown) {
  return { type: 'text', text: JSON.stringify(value) }
}
