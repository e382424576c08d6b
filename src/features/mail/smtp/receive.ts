import { open } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import type { Unfinished } from '../../../content/unfinished.ts'
import { ApiError } from '../../../errors.ts'
import type { Budget } from '../../../lib/budget.ts'
import { errorFields, log } from '../../../lib/log.ts'
import type { SmtpBounds } from './bounds.ts'
import { recipientOf } from './recipient.ts'
import { type Delivered, Refusal, refusalOf, replyTo } from './reply.ts'
import type { Slots } from './slots.ts'

/** A message that has arrived, for addresses that exist. */
export interface Arrival {
  readonly addresses: readonly string[]
  /** The raw message, complete and on disk. It is removed afterwards. */
  readonly file: string
  readonly smtp: { readonly remoteAddress: string; readonly helo: string; readonly mailFrom: string }
  /** Nothing is stored. */
  readonly dryRun: boolean
}

/** Resolves, with one outcome for each address, when what is to be kept is on disk. */
export type Deliver = (arrival: Arrival) => Promise<readonly Delivered[]>

/** What receiving a message needs. */
export interface Receiving {
  readonly bounds: SmtpBounds
  readonly spool: Unfinished
  readonly space: Budget
  readonly slots: Slots
  /** Whether an address exists. Throws ApiError. */
  readonly takes: (address: string) => boolean
  readonly deliver: Deliver
  /** Whether the first bytes of a message prove that `kontor mail test` has sent it. */
  readonly isTest: (head: string) => boolean
}

const headBytes = 512

/** Takes a message from a client, by whose name its space counts. Returns the positive reply, or throws Refusal. It leaves the spool when its delivery has ended. */
export async function receive(
  receiving: Receiving,
  client: string,
  session: SMTPServerSession,
  stream: SMTPServerDataStream,
): Promise<string> {
  try {
    const { isTest, ...arrived } = await spooled(receiving, client, stream)
    return replyTo(await deliverInTime(receiving, client, arrived, { ...envelopeOf(session), dryRun: isTest }), isTest)
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof ApiError || stream.destroyed)) {
      log('a mail could not be taken', errorFields(error), 'error')
    }
    throw refusalOf(error)
  } finally {
    stream.resume() // the reply follows the end of the message
  }
}

/** A message in the spool. */
interface Spooled {
  readonly path: string
  remove(): Promise<void>
}

async function spooled(
  { spool, space, bounds, isTest }: Receiving,
  client: string,
  stream: SMTPServerDataStream,
): Promise<Spooled & { isTest: boolean }> {
  const taken = new Taken(space, client)
  let path = ''
  const remove = async () => {
    if (path) await spool.discard(path)
    taken.release()
  }
  try {
    path = (await spool.take(partsOf(stream, taken, bounds.messageBytesMax), bounds.messageBytesMax)).path
    return { path, remove, isTest: isTest(await headOf(path)) }
  } catch (error) {
    await remove()
    throw error
  }
}

async function headOf(path: string): Promise<string> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(headBytes) })
  return buffer.toString('latin1', 0, bytesRead)
}

function envelopeOf({ envelope, remoteAddress, hostNameAppearsAs }: SMTPServerSession) {
  const mailFrom = envelope.mailFrom ? envelope.mailFrom.address : ''
  const addresses = [...new Set(envelope.rcptTo.map((each) => recipientOf(each.address).address))]
  return { addresses, smtp: { remoteAddress, helo: String(hostNameAppearsAs || ''), mailFrom } }
}

/** The spool space that a message takes. */
class Taken {
  readonly #space: Budget
  readonly #names: readonly string[]
  #bytes = 0

  constructor(space: Budget, name: string) {
    this.#space = space
    this.#names = [name]
  }

  /** Throws Refusal. */
  take(bytes: number): void {
    if (this.#space.take(this.#names, bytes)) throw new Refusal(452, 'Too much mail at once, try again later')
    this.#bytes += bytes
  }

  release(): void {
    this.#space.release(this.#names, this.#bytes)
  }
}

/** What is written at once, at least: `smtp-server` gives a part for each line that begins with a dot. */
const togetherBytesMin = 65_536

/** The bytes of a message. One that is refused is read to its end, so that the client sees the reply. Throws Refusal. */
async function* partsOf(stream: SMTPServerDataStream, taken: Taken, bytesMax: number): AsyncIterable<Buffer> {
  let refusal: unknown
  let together: Buffer[] = []
  let [bytes, waiting] = [0, 0]
  const take = (part: Buffer) => {
    bytes += part.length
    if (bytes > bytesMax) throw new Refusal(552, `A message may have at most ${bytesMax} bytes`)
    taken.take(part.length)
    together.push(part)
    waiting += part.length
  }
  for await (const part of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (refusal) continue
    try {
      take(part)
    } catch (error) {
      refusal = error
    }
    if (refusal || waiting < togetherBytesMin) continue
    yield Buffer.concat(together)
    together = []
    waiting = 0
  }
  if (refusal) throw refusal
  yield Buffer.concat(together)
}

/** The delivery goes on after the time; the message that the client sends again is then a duplicate. Throws Refusal. */
async function deliverInTime(
  { slots, takes, deliver, bounds }: Receiving,
  client: string,
  { path, remove }: Spooled,
  envelope: Omit<Arrival, 'file'>,
): Promise<readonly Delivered[]> {
  const end = new AbortController()
  const run = () => {
    requireAllOrNone(envelope.addresses, takes)
    return deliver({ ...envelope, file: path })
  }
  const delivering = slots.run(client, run, end.signal).finally(remove)
  const late = delay(bounds.deliveryMs, undefined, { signal: end.signal, ref: false }).then(() => {
    throw new Refusal(451, 'The message was not stored in time, try again later')
  })
  try {
    return await Promise.race([delivering, late])
  } finally {
    end.abort()
    for (const each of [delivering, late]) each.catch(() => {}) // one has answered
  }
}

/** A positive reply would hide that one of several recipients has gone since RCPT. The client sends again, and RCPT says which. Throws Refusal. */
function requireAllOrNone(addresses: readonly string[], takes: Receiving['takes']): void {
  const count = addresses.filter(takes).length
  if (count === 0 || count === addresses.length) return
  throw new Refusal(451, 'A recipient does not exist any more, try again')
}
