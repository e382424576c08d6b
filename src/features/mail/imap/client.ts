import { isIP } from 'node:net'
import type { ImapFlow, ImapFlowOptions } from 'imapflow'
import { secondMs } from '../../../lib/clock.ts'

/** How a connection is encrypted: at once, after STARTTLS, or not at all. */
export const encryptions = ['implicit', 'starttls', 'none'] as const
type Encryption = (typeof encryptions)[number]

/** A folder of a mailbox, and how to reach it. */
export interface MailboxPlace {
  readonly host: string
  /** An address of the host to which it may connect. */
  readonly address: string
  readonly port: number
  readonly tls: Encryption
  readonly user: string
  readonly password: string
  readonly folder: string
}

const connectMsMax = 30_000
const greetingMsMax = 15_000
/** How long the server may be silent. It is asked more often. */
const silentMsMax = 150_000
/** After this, IDLE begins again, and a server without IDLE is asked again. */
export const idleMsMax = 60_000
/** How many numbers one search covers, or how many messages: its answer is one line, of up to 11 bytes for each. */
export const searchedMax = 10_000
/** Responses are parsed on the event loop. */
const lineBytesMax = 131_072
const responseBytesMax = 2 * lineBytesMax
/** How many bytes a server may send until the next command. */
const answerBytesMax = 1_048_576
/** How many numbers an answer to a search may have. More messages can have arrived meanwhile. */
const foundMax = 2 * searchedMax

/** A client of a mail server that may be hostile: one that answers more than it is asked for, or never ends its answer, is left. */
export async function newClient(place: MailboxPlace, answerMsMax: number): Promise<ImapFlow> {
  const { ImapFlow: Client } = await import('imapflow')
  const client: ImapFlow = new Client({
    ...optionsOf(place),
    expungeHandler: ({ vanished }) => (vanished ? leave(client) : undefined), // one line can name millions
  })
  client.on('error', () => {}) // without a listener, it would end the process
  boundAnswers(client, answerMsMax)
  return client
}

function optionsOf({ host, address, port, tls, user, password }: MailboxPlace): ImapFlowOptions {
  return {
    ...{ host: address, port, auth: { user, pass: password } },
    secure: tls === 'implicit',
    ...(tls !== 'implicit' && { doSTARTTLS: tls === 'starttls' }),
    ...(isIP(host) === 0 && { servername: host }),
    tls: { minVersion: 'TLSv1.2' },
    ...{ logger: false as const, emitLogs: false, disableCompression: true, autoIdleDelay: 500 },
    ...{ connectionTimeout: connectMsMax, greetingTimeout: greetingMsMax, socketTimeout: silentMsMax },
    ...{ maxIdleTime: idleMsMax, maxLineLength: lineBytesMax, maxLiteralSize: lineBytesMax },
    maxResponseSize: responseBytesMax,
  }
}

/** An untagged response: its numbers, or what else it consists of. */
interface Untagged {
  numbers?: readonly number[]
  attributes?: readonly { value?: unknown }[]
}

type Handlers = Record<string, (response: Untagged) => Promise<void>>

/** A method of `imapflow`, whose types leave it out: each command is sent by it. */
interface Internals {
  exec(command: string, attributes: unknown, options?: { untagged?: Handlers }): Promise<unknown>
}

/** The library has bounds for one response, but collects 2^24 numbers, or a million responses to a command. */
function boundAnswers(client: ImapFlow, answerMsMax: number): void {
  const internals = client as unknown as Internals
  const exec = internals.exec.bind(client)
  let before = 0
  const look = () => {
    if (client.stats().received - before > answerBytesMax) void leave(client)
  }
  const timer = setInterval(look, secondMs).unref()
  client.on('close', () => clearInterval(timer))
  internals.exec = (command, attributes, options = {}) => {
    look()
    before = client.stats().received
    let found = 0
    const bounded = (collect: Handlers[string]) => (response: Untagged) => {
      found += countOf(response)
      return found > foundMax ? leave(client) : collect(response)
    }
    const { SEARCH, ESEARCH, ...rest } = options.untagged ?? {}
    const late = setTimeout(() => leave(client, 'ETIMEOUT'), answerMsMax).unref()
    const searches = { ...(SEARCH && { SEARCH: bounded(SEARCH) }), ...(ESEARCH && { ESEARCH: bounded(ESEARCH) }) }
    const answer = exec(command, attributes, { ...options, untagged: { ...rest, ...searches } })
    return answer.finally(() => clearTimeout(late))
  }
}

/** How many numbers a response has, at least: ranges count with all that is in them. */
function countOf({ numbers, attributes = [] }: Untagged): number {
  if (numbers) return numbers.length
  const parts = attributes.flatMap(({ value }) => (typeof value === 'string' ? value.split(',') : []))
  return parts.reduce((sum, part) => {
    const [first = 0, last = first] = part.split(':').map(Number)
    return sum + (Math.abs(last - first) + 1 || 1)
  }, 0)
}

/** Ends the connection, and looks at nothing more that the server has sent. */
function leave(client: ImapFlow, code = 'ResponseTooLarge'): Promise<never> {
  client.emit('error', Object.assign(new Error(code), { code }))
  client.close()
  return new Promise(() => {})
}
