import type { TestContext } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { exchange } from '../support/exchange.ts'
import { type StartOptions, start } from '../support/start.ts'

// An agent that speaks the protocol by hand, as the newest revision has it.

export const modern = '2026-07-28'

const testAgent = { name: 'test-agent', version: '1.0' }

export interface Reply {
  status: number
  headers: Headers
  /** The body as it was sent. */
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests assert responses of every shape
  body: any
}

export interface AgentOptions {
  url: string
  key: string
  /** Default: `/mcp`. */
  path?: string
  headers?: Record<string, string>
  client?: { name: string; version: string }
  /** What the client can do; default: nothing. */
  capabilities?: object
}

/** What a tool has returned: its structured content, and whether it is an error. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert results of every shape
export type ToolResult = any

export interface Agent {
  /** Sends a message. */
  send(method: string, params?: object): Promise<Reply>
  /** Calls a tool. Fails unless its text is its structured content. */
  call(tool: string, given?: object, more?: object): Promise<ToolResult>
  /** Calls a tool that must succeed. */
  use(tool: string, given?: object): Promise<ToolResult>
}

export function agentFor({
  url,
  key,
  path = '/mcp',
  headers = {},
  client = testAgent,
  capabilities = {},
}: AgentOptions): Agent {
  let id = 0
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': modern,
    'io.modelcontextprotocol/clientInfo': client,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
  const send = (method: string, params: object = {}) =>
    post(
      `${url}${path}`,
      { jsonrpc: '2.0', id: ++id, method, params: { ...params, _meta } },
      {
        Authorization: `Bearer ${key}`,
        'MCP-Protocol-Version': modern,
        'Mcp-Method': method,
        ...('name' in params && { 'Mcp-Name': String(params.name) }),
        ...headers,
      },
    )
  const call = async (name: string, given: object = {}, more: object = {}) => {
    const { status, body } = await send('tools/call', { name, arguments: given, ...more })
    if (status !== 200 || !body.result) throw new Error(`${name}: HTTP ${status} ${JSON.stringify(body)}`)
    const { content, structuredContent, isError, ...rest } = body.result
    if (content === undefined) return rest
    if (!isDeepStrictEqual(JSON.parse(content[0].text), structuredContent)) throw new Error('the text is another one')
    return { ...structuredContent, isError }
  }
  const use = async (name: string, given: object = {}) => {
    const { isError, ...result } = await call(name, given)
    if (isError) throw new Error(`${name} ${JSON.stringify(given)}: ${JSON.stringify(result)}`)
    return result
  }
  return { send, call, use }
}

/** Sends any body to the endpoint. */
export async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: text }
  const response = await exchange(url, init)
  return { ...response, body: response.text === '' ? undefined : JSON.parse(response.text) }
}

/** A server with a company, its client, and an agent with the same key. */
export async function openAgent(t: TestContext, options?: StartOptions) {
  const server = await start(t, options)
  const { client } = await server.company('Acme')
  return { ...server, client, agent: agentFor({ url: server.url, key: client.key }) }
}
