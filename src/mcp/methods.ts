import type { Exchange } from '../http/exchange.ts'
import { beginningOf } from '../lib/text.ts'
import { version } from '../packaging/embedded.ts'
import type { Agent } from './protocol/agent.ts'
import { type Message, RpcError } from './protocol/message.ts'
import { legacy, supported } from './protocol/revision.ts'
import { callTool } from './tools/call.ts'
import { toolsOf } from './tools/index.ts'

type Result = Readonly<Record<string, unknown>>

const serverInfo = { name: 'kontor', title: 'Kontor', version }
/** The list of tools depends on the key. */
const cacheHints = { ttlMs: 300_000, cacheScope: 'private' }
const capabilities = { tools: {} }

const instructions = `Kontor is a CRM: organizations, contacts, deals in a pipeline of stages, tasks, and a log of activities.
Call describe once to learn the fields, stages and users. Find records with search, read lists with list_records.
Every change is logged under your key. All but log_activity can be undone: keep undo.request_id of what you change.
Look for an existing record before you create one. Use dry_run to show what would change before a large change.
If the mode is propose, your changes wait until a person applies them in the console: say so to the user.`

/** The result of a request. Throws RpcError. */
export async function answer(agent: Agent, message: Message, state: Exchange): Promise<Result> {
  const result = await resultOf(agent, message, state)
  if (!agent.isModern) return result
  return { resultType: 'complete', ...result, _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } }
}

function resultOf(agent: Agent, { method, params }: Message, state: Exchange): Result | Promise<Result> {
  if (agent.isModern && method === 'server/discover') {
    return { supportedVersions: supported, capabilities, instructions, ...cacheHints }
  }
  if (!agent.isModern && method === 'initialize') return initialize(params)
  if (!agent.isModern && method === 'ping') return {}
  if (method === 'tools/list') return listTools(agent, params)
  if (method === 'tools/call') return callTool(agent, params, state)
  throw new RpcError('methodNotFound', `There is no method ${beginningOf(method, 100)}`)
}

function initialize({ protocolVersion }: Message['params']): Result {
  const isKnown = typeof protocolVersion === 'string' && legacy.includes(protocolVersion)
  return { protocolVersion: isKnown ? protocolVersion : legacy[0], capabilities, serverInfo, instructions }
}

function listTools(agent: Agent, { cursor }: Message['params']): Result {
  if (cursor !== undefined) throw new RpcError('invalidParams', 'The list of tools has one page: leave out cursor')
  return { tools: toolsOf(agent).map(({ shown }) => shown), ...(agent.isModern && cacheHints) }
}
