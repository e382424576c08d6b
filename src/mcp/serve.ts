import { hash } from 'node:crypto'
import { readCursorSecret } from '../access/setting.ts'
import type { BodySize } from '../engine/api/call/route.ts'
import { exactText, parseJson } from '../engine/records/kinds/exact-numbers.ts'
import { metadataDepthMax } from '../engine/records/kinds/fields.ts'
import { ApiError } from '../errors.ts'
import type { Admission } from '../http/admission.ts'
import { admitKey, type Gate } from '../http/admit.ts'
import type { ReadBody } from '../http/body.ts'
import { compose } from '../http/compose.ts'
import type { Content, Ctx, Layer } from '../http/exchange.ts'
import type { FairTurns } from '../http/fair-turns.ts'
import { performWithin } from '../http/inner-request.ts'
import { longRequestOf, type ServeLong, TooLongHere } from '../http/long-request.ts'
import { responseTo } from '../http/problem.ts'
import { methodNotAllowed, send } from '../http/response.ts'
import { isNestedWithin } from '../lib/json-shape.ts'
import type { Store } from '../store/store.ts'
import { answer } from './methods.ts'
import { originRefusal } from './origin.ts'
import type { Agent } from './protocol/agent.ts'
import { idOfMessage, RpcError, readMessage } from './protocol/message.ts'
import { readMode } from './protocol/mode.ts'
import { type Client, readClient, takesBatches } from './protocol/revision.ts'

const path = '/mcp'
/** The same without tools that write. */
const readOnlyPath = `${path}/readonly`
/** Messages in a batch. */
const batchMax = 20
/** Levels of a message that another thread replies to: its own, those of params, arguments and their values, and those of metadata. */
const depthMax = 4 + metadataDepthMax

interface McpOptions extends Gate {
  store: Store
  admission: Admission
  readers: Readonly<Record<BodySize, ReadBody>>
  turns: FairTurns
  /** Further layers for requests that are authenticated. */
  layers: readonly Layer[]
  /** Runs a request of the API within another one. */
  api: Layer
  /** Serves messages on other threads whose work is long; undefined: they are served here. */
  serveLong?: ServeLong | undefined
  /** Origins of pages that may use it. */
  origins: readonly string[]
  /** The address of the console, if it is known. */
  publicUrl: string | undefined
}

/** What replying to a message needs. */
type Replying = Pick<McpOptions, 'store' | 'api' | 'serveLong' | 'publicUrl'>

export function isMcpPath(given: string): boolean {
  return given === path || given === readOnlyPath
}

/** `POST /mcp`: tools for agents (decision L1). Every request has a key, counts against its rate limit, and stands for itself. */
export function serveMcp(options: McpOptions): Layer {
  const { admission, layers, origins: allowed, publicUrl } = options
  const admit = admitKey(options)
  const letIn: Layer = (ctx, next) => {
    ctx.state.route = ctx.state.path
    const { origin, host } = ctx.req.headers
    const refusal = ctx.method === 'POST' ? undefined : methodNotAllowed(ctx.method, ['POST'])
    const fault = originRefusal({ origin, host }, { allowed, publicUrl }) ?? refusal
    if (fault) {
      admission.admitAddress(ctx)
      throw fault
    }
    admit(ctx)
    return next()
  }
  const reply: Layer = async (ctx) => {
    ctx.state.outflow.requireCapacity(ctx.state.clients)
    return send(ctx, await respond(ctx, options))
  }
  return compose([letIn, ...layers, reply])
}

async function respond(ctx: Ctx, options: McpOptions): Promise<Content> {
  try {
    const body = await readJson(ctx, options.readers.message)
    if (Array.isArray(body)) return await respondToBatch(ctx, options, body)
    const reply = await replyTo(ctx, options, body)
    return reply ? contentOf(reply) : accepted
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return contentOf({ status: error.status, text: failure(error, null) })
  }
}

/** The response to a notification. */
const accepted: Content = { status: 202, body: '' }

function contentOf({ status, text }: Reply): Content {
  return { status, body: text, headers: ['Cache-Control', 'no-store'] }
}

/**
 * Replies to messages one after the other. Each counts as a request, and has a request id of its own, so that it can be undone by itself.
 * Replies count as unread while they wait for the others, so that a batch is limited as its messages by themselves are.
 */
async function respondToBatch(ctx: Ctx, options: McpOptions, messages: readonly unknown[]): Promise<Content> {
  if (!takesBatches(ctx.req.headers) || messages.length === 0 || messages.length > batchMax) {
    const message = `Send one message per request. Only the revision 2025-03-26 has batches, here of 1 to ${batchMax}`
    throw new RpcError('invalidRequest', message)
  }
  const parts = messages.map((_, at) => partOf(ctx, at))
  countAll(ctx, parts.slice(1), options)
  const { outflow, clients } = ctx.state
  const replies: string[] = []
  for (const [at, part] of parts.entries()) {
    if (at > 0) await options.turns.wait(ctx)
    if (ctx.res.destroyed) break // nobody would get the replies
    const reply = await replyTo(part, options, messages[at]).catch((thrown) => failed(part, thrown, messages[at]))
    if (!reply) continue
    outflow.reserveAnyway(ctx.res, clients, Buffer.byteLength(reply.text))
    replies.push(reply.text)
  }
  return replies.length > 0 ? contentOf({ status: 200, text: `[${replies.join()}]` }) : accepted
}

/** The reply to a message that could not be processed: the others have theirs. */
function failed({ state }: Ctx, thrown: unknown, value: unknown): Reply {
  const { status, body } = responseTo(thrown, state)
  const { message } = JSON.parse(body).error
  return { status, text: failure(new RpcError('internalError', message), idOfMessage(value)) }
}

/** Counts the further messages of a batch, or none of them. The headers show the newest counts. */
function countAll({ state }: Ctx, parts: readonly Ctx[], { admission }: McpOptions): void {
  const counted: Ctx[] = []
  try {
    for (const part of parts) {
      admission.count(part, state.credential!)
      counted.push(part)
    }
  } catch (error) {
    for (const part of counted) part.state.takeBack!()
    throw error
  }
  for (const part of counted) part.state.count?.(200)
  const newest = counted.at(-1)?.state.headers ?? []
  if (newest.length > 0) state.headers.splice(state.headers.indexOf(newest[0]!), newest.length, ...newest)
}

/** Long ids, which would differ only at their ends, are replaced by hashes. */
function partOf(ctx: Ctx, at: number): Ctx {
  const { requestId: whole } = ctx.state
  const requestId = `${whole.length > 100 ? hash('sha256', whole) : whole}.${at + 1}`
  return Object.create(ctx, { state: { value: { ...ctx.state, headers: [], requestId } } })
}

interface Reply {
  status: number
  /** The message as JSON. */
  text: string
}

/** Undefined: the message needs no reply. Throws ApiError. */
async function replyTo(ctx: Ctx, options: Replying, value: unknown): Promise<Reply | undefined> {
  let isModern = true
  try {
    const message = readMessage(value)
    if (!message) return undefined
    const client = readClient(ctx.req.headers, message)
    isModern = client.isModern
    const agent = agentOf(ctx, options, client)
    if (message.id === undefined) return undefined
    const result = await answer(agent, message, ctx.state)
    return { status: 200, text: JSON.stringify({ jsonrpc: '2.0', id: message.id, result }) }
  } catch (thrown) {
    const error = thrown instanceof TooLongHere && !isNestedWithin(value, depthMax) ? tooDeep() : thrown
    if (error instanceof TooLongHere) return replyElsewhere(ctx, options, value)
    if (!(error instanceof RpcError)) throw error
    return { status: isModern ? error.status : 200, text: failure(error, idOfMessage(value)) }
  }
}

function tooDeep(): RpcError {
  return new RpcError('invalidRequest', `A message must be nested at most ${depthMax} levels deep`)
}

async function replyElsewhere(ctx: Ctx, options: Replying, value: unknown): Promise<Reply> {
  const message = { text: exactText(value), consoleUrl: consoleUrlOf(ctx, options) }
  const { status, body } = await options.serveLong!({ ...longRequestOf(ctx), body: undefined, message })
  ctx.state.noteWrite?.()
  return { status, text: String(body) }
}

/** Replies to a message, given as its JSON, on another thread. */
export async function replyHere(ctx: Ctx, options: Replying, text: string): Promise<Content> {
  const reply = (await replyTo(ctx, options, parseJson(text)))!
  return { status: reply.status, body: reply.text }
}

function failure({ code, message, data }: RpcError, id: string | number | null): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } })
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

function agentOf(ctx: Ctx, options: Replying, client: Client): Agent {
  const { store, api } = options
  const credential = ctx.state.credential!
  return {
    ...client,
    credential,
    mode: readMode(credential.mcpMode, ctx.req.headers, ctx.state.path === readOnlyPath),
    perform: (request) => performWithin(api, ctx, request),
    requireCapacity: () => ctx.state.outflow?.requireCapacity(ctx.state.clients), // another thread sends nothing itself
    consoleUrl: consoleUrlOf(ctx, options),
    now: () => store.clock.now(),
    requestId: ctx.state.requestId,
    secret: readCursorSecret(store.access),
  }
}

function consoleUrlOf(ctx: Ctx, { publicUrl }: Replying): string {
  return (publicUrl ?? `${ctx.protocol}://${ctx.req.headers.host}${ctx.state.basePath}`).replace(/\/$/, '')
}
