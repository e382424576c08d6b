import type { Readable, Writable } from 'node:stream'
import { redirectionOf, unreached } from '../../lib/unreached.ts'
import { linesOf } from './lines.ts'

interface Server {
  /** `https://crm.example/mcp` */
  url: string
  key: string
  mode: string | undefined
  /** Prints a line that answers no message. */
  note: (line: string) => void
}

// biome-ignore lint/suspicious/noExplicitAny: a message of either generation of the protocol
type Message = any

/** What `initialize` has agreed on, for the requests after it. */
interface Agreed {
  version?: string
  client?: string
}

/** A message may be as long as the body of a request. */
const lineBytesMax = 2 ** 20
/** Messages that wait for a response. */
const atOnceMax = 16
const responseMsMax = 300_000

const parseError = -32700
const internalError = -32603

/** Sends each message of the input, one per line, to the server as it is, and writes each response as a line (decision L4). */
export async function bridgeLines(input: Readable, output: Writable, server: Server): Promise<void> {
  const agreed: Agreed = {}
  const running = new Set<Promise<void>>()
  const write = (text: string) => {
    output.write(`${text}\n`)
  }
  for await (const line of linesOf(input, lineBytesMax)) {
    if (line?.trim() === '') continue
    const message = parse(line)
    if (line === undefined || message === undefined) {
      write(errorFor(null, parseError, `A line must be a JSON object of at most ${lineBytesMax} bytes`))
      continue
    }
    const done = exchange(line, message, server, agreed).then((response) => {
      if (response !== undefined) write(response)
    })
    running.add(done)
    done.finally(() => running.delete(done))
    if (running.size >= atOnceMax) await Promise.race(running)
  }
  await Promise.all(running)
}

function parse(line: string | undefined): Message | undefined {
  try {
    const message = JSON.parse(line ?? '')
    return typeof message === 'object' && message !== null ? message : undefined
  } catch {
    return undefined
  }
}

/**
 * The text of the response, in one line. Texts stay as they are, with all digits of their numbers. Never rejects: a failure is the response to
 * the message, or a line on standard error if it needs none.
 */
async function exchange(line: string, message: Message, server: Server, agreed: Agreed): Promise<string | undefined> {
  const { method, params } = message
  if (method === 'initialize') agreed.client = nameOf(params?.clientInfo)
  try {
    const response = await fetch(server.url, {
      method: 'POST',
      headers: headersFor(message, server, agreed),
      body: line,
      redirect: 'manual',
      signal: AbortSignal.timeout(responseMsMax),
    })
    const text = await response.text()
    const body = text === '' ? undefined : parse(text)
    if (Array.isArray(body) || body?.jsonrpc === '2.0') {
      if (method === 'initialize') agreed.version = body.result?.protocolVersion
      return text.replace(/[\r\n]+/g, ' ')
    }
    if (response.ok && text === '') return undefined
    const fault = `HTTP ${response.status} from ${server.url}: ${body?.error?.message ?? 'this is not Kontor'}`
    return failed(message, redirectionOf(server.url, response) ?? fault, server)
  } catch (error) {
    return failed(message, `${server.url} does not respond: ${unreached(error).fault}`, server)
  }
}

function failed(message: Message, text: string, { note }: Server): string | undefined {
  const waiting = [message].flat().filter((each) => each?.id !== undefined)
  const replies = waiting.map(({ id }) => errorFor(id, internalError, text))
  if (replies.length === 0) note(`kontor: ${text}`)
  return Array.isArray(message) && replies.length > 0 ? `[${replies.join()}]` : replies[0]
}

function errorFor(id: unknown, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}

/** What HTTP requires besides the body. */
function headersFor({ method, params }: Message, { key, mode }: Server, agreed: Agreed): Record<string, string> {
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion'] ?? agreed.version
  const name = params?.name ?? params?.uri
  return {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...headerOf('MCP-Protocol-Version', version),
    ...headerOf('Mcp-Method', method),
    ...headerOf('Mcp-Name', name),
    ...(mode !== undefined && { 'Kontor-Mcp-Mode': mode }),
    ...(agreed.client && { 'User-Agent': agreed.client }),
  }
}

/** A text that is not plain is encoded as the protocol says. A value that is no text gets no header: the server refuses the message. */
function headerOf(name: string, value: unknown): Record<string, string> {
  if (typeof value !== 'string') return {}
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?')
  return { [name]: isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=` }
}

/** The client's name and version, as far as a header can have them. */
function nameOf(info: Message): string | undefined {
  const text = [info?.name, info?.version].filter((part) => typeof part === 'string').join(' ')
  return (
    text
      .replace(/[^\x20-\x7e]/g, '')
      .trim()
      .slice(0, 100) || undefined
  )
}
