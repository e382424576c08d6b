import { readCursorSecret } from '../access/setting.ts'
import type { BodySize } from '../engine/route.ts'
import { ApiError } from '../errors.ts'
import type { Admission } from '../http/admission.ts'
import { admitKey, type Gate } from '../http/admit.ts'
import type { ReadBody } from '../http/body.ts'
import type { Content, Ctx, Layer } from '../http/exchange.ts'
import { performWithin } from '../http/inner-request.ts'
import { methodNotAllowed, send } from '../http/response.ts'
import type { Store } from '../store/store.ts'
import type { Agent } from './agent.ts'
import { idOfMessage, RpcError, readMessage } from './message.ts'
import { answer } from './methods.ts'
import { readMode } from './mode.ts'
import { originRefusal } from './origin.ts'
import { readClient } from './revision.ts'

const path = '/mcp'
/** The same without tools that write. */
const readOnlyPath = `${path}/readonly`

interface McpOptions extends Gate {
  store: Store
  admission: Admission
  readers: Readonly<Record<BodySize, ReadBody>>
  /** Runs a request of the API within another one. */
  api: Layer
  /** Origins of pages that may use it. */
  origins: readonly string[]
  /** The address of the console, if it is known. */
  publicUrl: string | undefined
}

export function isMcpPath(given: string): boolean {
  return given === path || given === readOnlyPath
}

/** `POST /mcp`: tools for agents (decision L1). Every request has a key, counts against its rate limit, and stands for itself. */
export function serveMcp(options: McpOptions): Layer {
  const { admission, origins: allowed, publicUrl } = options
  const admit = admitKey(options)
  return async (ctx) => {
    ctx.state.route = ctx.state.path
    const { origin, host } = ctx.req.headers
    const refusal = ctx.method === 'POST' ? undefined : methodNotAllowed(ctx.method, ['POST'])
    const fault = originRefusal({ origin, host }, { allowed, publicUrl }) ?? refusal
    if (fault) {
      admission.admitAddress(ctx)
      throw fault
    }
    admit(ctx)
    ctx.state.outflow.requireCapacity(ctx.state.clients)
    return send(ctx, await respond(ctx, options))
  }
}

async function respond(ctx: Ctx, options: McpOptions): Promise<Content> {
  let message: unknown
  try {
    message = await readJson(ctx, options.readers.message)
    const read = readMessage(message)
    if (!read) return accepted
    const agent = agentOf(ctx, options, readClient(ctx.req.headers, read))
    if (read.id === undefined) return accepted
    const result = await answer(agent, read, ctx.state)
    return contentOf(200, { jsonrpc: '2.0', id: read.id, result })
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const { code, message: text, data, status } = error
    const shown = { code, message: text, ...(data !== undefined && { data }) }
    return contentOf(status, { jsonrpc: '2.0', id: idOfMessage(message), error: shown })
  }
}

/** The response to a notification. */
const accepted: Content = { status: 202, body: '' }

function contentOf(status: number, message: object): Content {
  return { status, body: JSON.stringify(message), headers: ['Cache-Control', 'no-store'] }
}

/** Throws RpcError if the body is no JSON, and ApiError if HTTP has a status for what is wrong. */
async function readJson(ctx: Ctx, readBody: ReadBody): Promise<unknown> {
  try {
    return (await readBody(ctx)).object.message
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) throw new RpcError('parseError', error.message)
    throw error
  }
}

function agentOf(ctx: Ctx, { store, api, publicUrl }: McpOptions, client: ReturnType<typeof readClient>): Agent {
  const credential = ctx.state.credential!
  const { basePath } = ctx.state
  return {
    ...client,
    credential,
    mode: readMode(credential.mcpMode, ctx.req.headers, ctx.state.path === readOnlyPath),
    perform: (request) => performWithin(api, ctx, request),
    consoleUrl: (publicUrl ?? `${ctx.protocol}://${ctx.req.headers.host}${basePath}`).replace(/\/$/, ''),
    now: () => store.clock.now(),
    requestId: ctx.state.requestId,
    secret: readCursorSecret(store.access),
  }
}
