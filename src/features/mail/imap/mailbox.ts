import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { ImapFlow } from 'imapflow'
import { secondMs } from '../../../lib/clock.ts'
import { rawBytesMax } from '../../../mail/bounds.ts'
import { codeOf, sentenceOf } from '../../webhooks/transport/failure.ts'
import { idleMsMax, type MailboxPlace, newClient, searchedMax } from './client.ts'

/** A message of a folder. */
interface MailboxMessage {
  /** When the server got it. */
  readonly arrivedAt: string | null
  /** The raw message. Ends early if it is larger than the pipeline accepts, which then refuses it. Throws MailboxFailure. */
  readonly content: AsyncIterable<Buffer>
}

/** Why a mailbox cannot be read: a sentence for its owner. `isLogin`: the server refuses the user or the password. */
export class MailboxFailure extends Error {
  override name = 'MailboxFailure'
  readonly isLogin: boolean

  constructor(message: string, isLogin = false) {
    super(message)
    this.isLogin = isLogin
  }
}

/** Nothing answers at the address. */
export class Unreachable extends MailboxFailure {}

const closed = 'The mail server has closed the connection'
/** A server that announces messages all the time is not asked more often. */
const askEveryMs = secondMs

/** An open folder. It is never changed. */
export class Mailbox {
  readonly #client: ImapFlow
  /** With another one, the numbers of all messages have changed. */
  readonly uidValidity: string
  /** Whether it holds what its owner has sent. */
  readonly isSent: boolean
  /** What the next message got when the folder was opened. */
  readonly #nextAtOpen: number
  #failure: unknown
  /** When the server was asked for new messages, by the monotonic clock. */
  #askedAtMs = 0
  /** Whether the server has told of something since the last wait. */
  #isAwake = false
  #sleeping: (() => void) | undefined
  /** Aborted when the connection is closed. */
  readonly #closing = new AbortController()

  private constructor(
    client: ImapFlow,
    { uidValidity, specialUse }: { uidValidity: bigint; specialUse?: string | undefined },
    nextUid: number,
  ) {
    this.#client = client
    this.#nextAtOpen = nextUid
    this.uidValidity = String(uidValidity)
    this.isSent = specialUse === '\\Sent'
    client.on('error', (error: unknown) => {
      this.#failure = error
    })
    client.on('exists', () => this.#wake())
    client.on('close', () => {
      this.#closing.abort()
      this.#wake()
    })
  }

  /** Throws MailboxFailure. Aborting `signal` closes the connection, now or later. */
  static async open(place: MailboxPlace, signal: AbortSignal, answerMsMax: number): Promise<Mailbox> {
    const client = await newClient(place, answerMsMax)
    const close = () => client.close()
    let failure: unknown
    client.once('error', (error: unknown) => {
      failure = error
    })
    signal.addEventListener('abort', close, { once: true })
    client.on('close', () => signal.removeEventListener('abort', close))
    try {
      signal.throwIfAborted()
      await client.connect()
      const opened = await client.mailboxOpen(place.folder, { readOnly: true }).catch((error: unknown) => {
        throw isRefusal(error) ? new MailboxFailure(`The folder ${place.folder} cannot be opened`) : error
      })
      return new Mailbox(client, opened, opened.uidNext ?? (await searchNext(client)))
    } catch (error) {
      client.close()
      throw failureOf(failure ?? error)
    }
  }

  /** The number that the next message gets. */
  get nextUid(): number {
    const { uidNext = 0 } = this.#client.mailbox || {}
    return Math.max(uidNext, this.#nextAtOpen)
  }

  /** The numbers of the messages after one, in their order, and a part of them at a time. `since`: only those that arrived on that day or later. */
  async *listAfter(uid: number, since?: string): AsyncGenerator<number[]> {
    const next = this.nextUid
    const { exists = 0 } = this.#client.mailbox || {}
    for (let first = uid + 1, isLast = false; !isLast; first += searchedMax) {
      isLast = exists <= searchedMax || first + searchedMax >= next // its end is open: the server may have got more
      const range = `${first}:${isLast ? '*' : first + searchedMax - 1}`
      const query = { uid: range, ...(since !== undefined && { since: new Date(since) }) }
      const found = await this.#ask(() => this.#client.search(query, { uid: true }))
      const uids = (found || []).filter((each) => each >= first).sort((a, b) => a - b) // `*` also finds the last one before
      if (uids.length > 0) yield uids
    }
  }

  /** A message by its number; undefined: it is not there any more. The content must be read. */
  async read(uid: number): Promise<MailboxMessage | undefined> {
    const one = await this.#ask(() =>
      this.#client.fetchOne(String(uid), { uid: true, internalDate: true }, { uid: true }),
    )
    if (!one || one.uid !== uid) return undefined
    const options = { uid: true, maxBytes: rawBytesMax + 1 }
    const { content } = await this.#ask(() => this.#client.download(String(uid), undefined, options))
    if (!content) throw new MailboxFailure('The mail server does not give out a message')
    const arrivedAt = one.internalDate ? new Date(one.internalDate) : undefined
    return {
      arrivedAt: arrivedAt && !Number.isNaN(arrivedAt.getTime()) ? arrivedAt.toISOString() : null,
      content: this.#partsOf(content),
    }
  }

  async *#partsOf(content: Readable): AsyncGenerator<Buffer> {
    try {
      yield* content
    } catch (error) {
      throw failureOf(this.#failure ?? error)
    }
  }

  /** Waits up to a minute for the server to announce a message. Then asks the server for new messages. */
  async wait(): Promise<void> {
    if (!this.#isAwake) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, idleMsMax)
      this.#sleeping = resolve
      await promise
      clearTimeout(timer)
    }
    const restMs = this.#askedAtMs + askEveryMs - performance.now()
    if (restMs > 0) await delay(restMs, undefined, { signal: this.#closing.signal }).catch(() => {})
    this.#isAwake = false
    this.#askedAtMs = performance.now()
    await this.#ask(() => this.#client.noop())
  }

  #wake(): void {
    this.#isAwake = true
    this.#sleeping?.()
  }

  close(): void {
    this.#client.close()
  }

  async #ask<T>(request: () => Promise<T>): Promise<T> {
    try {
      if (!this.#client.usable) throw this.#failure ?? new MailboxFailure(closed)
      return await request()
    } catch (error) {
      throw failureOf(this.#failure ?? error)
    }
  }
}

/** A server need not say which number the next message gets. */
async function searchNext(client: ImapFlow): Promise<number> {
  const found = (await client.search({ uid: '*' }, { uid: true })) || []
  return Math.max(0, ...found) + 1
}

function isRefusal(error: unknown): boolean {
  return (error as { responseStatus?: unknown }).responseStatus !== undefined
}

function failureOf(error: unknown): MailboxFailure {
  if (error instanceof MailboxFailure) return error
  const { authenticationFailed, serverResponseCode = '' } = error as {
    authenticationFailed?: boolean
    serverResponseCode?: string
  }
  if (authenticationFailed && passing.has(serverResponseCode))
    return new MailboxFailure('The mail server can sign in nobody at the moment')
  if (authenticationFailed) return new MailboxFailure('The mail server refuses the user or the password', true)
  const { tlsFailed } = error as { tlsFailed?: boolean }
  if (tlsFailed && codeOf(error) === '') return new MailboxFailure('The mail server does not offer STARTTLS')
  const message = sentences[codeOf(error)] ?? sentenceOf(error).replace('request', 'connection')
  return unreachable.has(codeOf(error)) ? new Unreachable(message) : new MailboxFailure(message)
}

const unreachable: ReadonlySet<string> = new Set(
  'CONNECT_TIMEOUT ETIMEDOUT ECONNREFUSED ENETUNREACH EHOSTUNREACH EADDRNOTAVAIL'.split(' '),
)

/** Response codes of a server that has not looked at the password (RFC 5530). */
const passing: ReadonlySet<string> = new Set(['UNAVAILABLE', 'SERVERBUG', 'INUSE', 'LIMIT'])

const sentences: Readonly<Record<string, string>> = {
  CONNECT_TIMEOUT: 'The mail server does not answer',
  GREETING_TIMEOUT: 'The mail server does not answer',
  UPGRADE_TIMEOUT: 'The mail server does not answer',
  ETIMEOUT: 'The mail server does not answer any more',
  NoConnection: closed,
  EConnectionClosed: closed,
  ClosedAfterConnectText: closed,
  ClosedAfterConnectTLS: closed,
  ECONNREFUSED: 'The mail server refuses the connection',
  LineTooLarge: 'The mail server sends more than it was asked for',
  LiteralTooLarge: 'The mail server sends more than it was asked for',
  ResponseTooLarge: 'The mail server sends more than it was asked for',
}
