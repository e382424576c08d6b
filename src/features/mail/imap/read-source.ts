import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { dayMs, timestamp } from '../../../lib/clock.ts'
import type { Destinations } from '../../webhooks/transport/destinations.ts'
import { type DeliveryOptions, deliverFrom, refuseFrom } from '../deliver.ts'
import type { MailPlace } from '../lookup-address.ts'
import type { FailingMessage } from './failing-message.ts'
import { lookupSource, type Source } from './listed-sources.ts'
import { isAtFolder } from './mail-source.ts'
import { Mailbox, MailboxFailure, Unreachable } from './mailbox.ts'
import { noteSuccess, passwordMissing } from './source-reports.ts'
import { lookupPassword, lookupPosition, type Position, storePosition } from './source-state.ts'

export interface ReadingOptions extends DeliveryOptions {
  readonly destinations: Destinations
}

/** The company may store no more. */
export class NoRoom extends MailboxFailure {}

/** What may fail again and again because of one message. */
class MessageFailure extends MailboxFailure {}

/** How long the search for the addresses of a host may take. */
const resolveMsMax = 10_000

/** The reading of a source. */
interface Reading {
  readonly source: Source
  readonly failing: FailingMessage
  /** How long the answer to a command may take in milliseconds. */
  readonly answerMsMax: number
  /** Ends it. */
  readonly signal: AbortSignal
}

/** Reads a mailbox, and then waits for what is new, until it is ended or the source is gone. Throws MailboxFailure. */
export async function readSource(options: ReadingOptions, reading: Reading): Promise<void> {
  const { source, signal, answerMsMax } = reading
  const password = lookupPassword(options.store.access, source.password)
  if (password === undefined) throw new MailboxFailure(passwordMissing, true)
  const addresses = await findAddresses(options.destinations, source)
  const mailbox = await openFirst(addresses, (address) =>
    Mailbox.open({ ...source.mailbox, password, address }, signal, answerMsMax),
  )
  try {
    while (!signal.aborted && (await takeNew(options, reading, mailbox))) {
      await noteSuccess(options.store, source)
      await mailbox.wait()
    }
  } finally {
    mailbox.close()
  }
}

/** Tries the addresses of a host one after the other: this machine may reach only some. Throws MailboxFailure. */
async function openFirst(
  [address = '', ...others]: readonly string[],
  open: (address: string) => Promise<Mailbox>,
): Promise<Mailbox> {
  try {
    return await open(address)
  } catch (error) {
    if (error instanceof Unreachable && others.length > 0) return openFirst(others, open)
    throw error
  }
}

/** The addresses to which it may connect (decision H6). */
async function findAddresses(destinations: Destinations, { mailbox }: Source): Promise<string[]> {
  const url = new URL(urlOf(mailbox))
  try {
    return await destinations.addresses(url, AbortSignal.timeout(resolveMsMax))
  } catch {
    throw new MailboxFailure(`${mailbox.host} has no address from which mail may be read`)
  }
}

/** What the guard of destinations decides about: encrypted connections are as https, others as http. */
export function urlOf({ host, port, tls }: Pick<Source['mailbox'], 'host' | 'port' | 'tls'>): string {
  return `${tls === 'none' ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}/`
}

/** Delivers the new messages in their order. Returns false if the source is not to be read any more. */
async function takeNew(options: ReadingOptions, reading: Reading, mailbox: Mailbox): Promise<boolean> {
  const { store } = options
  const { source, signal } = reading
  const save = (position: Position) =>
    store.write(source.workspaceId, (tx) => {
      if (isAtFolder(tx, source.id, source.mailbox)) storePosition(tx, source.id, position) // it may have changed meanwhile
    })
  let position = lookupPosition(store.workspace(source.workspaceId), source.id)
  if (!position) return false
  if (position.uidValidity !== mailbox.uidValidity) {
    position = beginningOf(source, mailbox, position, timestamp(store.clock.now()))
    await save(position)
  }
  const { nextUid } = mailbox
  for await (const uids of mailbox.listAfter(position.lastUid, position.since ?? undefined)) {
    for (const [at, uid] of uids.entries()) {
      const current = lookupSource(store.access, source)
      if (signal.aborted || !current || current.version !== source.version) return false
      const place = { ...current.place, isSent: mailbox.isSent }
      const behind = uids[at + 1] ?? (uid + 1 < mailbox.nextUid ? mailbox.nextUid - 1 : undefined)
      const arrivedAt = await deliverOrPassOver(options, { place, mailbox, uid, behind }, reading)
      const newest = newestOf(position.arrivedAt, arrivedAt, timestamp(store.clock.now()))
      position = { ...position, lastUid: uid, arrivedAt: newest }
      await save(position)
      await reading.failing.forget(mailbox.uidValidity, uid)
    }
  }
  const since = sinceOf(source)
  if (position.since !== since) await save({ ...position, since, lastUid: Math.max(position.lastUid, nextUid - 1) })
  return lookupSource(store.access, source) !== undefined
}

/** When the newest message arrived. A time that has not come yet is wrong: mail can be put into a folder with any. */
function newestOf(before: string | null, at: string | null, now: string): string | null {
  return at === null || at > now || (before !== null && before > at) ? before : at
}

/** The day before which messages are left out, whenever they are put into the folder. */
function sinceOf({ start }: Source): string | null {
  return start === 'all' || start === 'now' ? null : start
}

/** Where to begin in a folder that is new, or whose messages have got other numbers. What comes again is known by then. */
function beginningOf(source: Source, { uidValidity, nextUid }: Mailbox, before: Position, now: string): Position {
  const position = { uidValidity, lastUid: 0, since: sinceOf(source), arrivedAt: before.arrivedAt }
  if (before.uidValidity !== null && before.arrivedAt !== null) {
    return { ...position, since: dayOf(Date.parse(before.arrivedAt) - dayMs) }
  }
  return source.start === 'now' ? { ...position, lastUid: nextUid - 1, arrivedAt: now } : position
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

interface Fetched {
  readonly place: MailPlace
  readonly mailbox: Mailbox
  readonly uid: number
  /** A message behind it, if there is one. */
  readonly behind: number | undefined
}

/**
 * As `deliverOne`. A message that fails again and again does not hold up those behind it: it stays in the mailbox, and the log names it. First
 * one of those is read, because the mail server may give out none at the moment.
 */
async function deliverOrPassOver(
  options: ReadingOptions,
  fetched: Fetched,
  { failing, signal }: Reading,
): Promise<string | null> {
  const { mailbox, uid, behind, place } = fetched
  const isLastTry = behind !== undefined && failing.isLastTry(mailbox.uidValidity, uid)
  if (isLastTry) for await (const _ of (await mailbox.read(behind))?.content ?? []);
  try {
    return await deliverOne(options, fetched)
  } catch (error) {
    if (!(error instanceof MessageFailure) || signal.aborted) throw error
    await failing.note(mailbox.uidValidity, uid)
    if (!isLastTry) throw error
    await refuseFrom(options, place, `Passed over after ${failing.tries} tries (UID ${uid}): ${error.message}`)
    return null
  }
}

/** Returns when the message arrived in the mailbox. Throws MailboxFailure if it comes later. */
async function deliverOne(options: ReadingOptions, { place, mailbox, uid }: Fetched): Promise<string | null> {
  const { workDirectory } = options.mail
  const file = join(workDirectory, `${randomUUID()}.eml`)
  await mkdir(workDirectory, { recursive: true, mode: 0o700 })
  try {
    const message = await ofMessage(() => mailbox.read(uid))
    if (!message) return null
    await ofMessage(() => pipeline(message.content, createWriteStream(file, { flags: 'wx', mode: 0o600 })))
    const { outcome, reason, quota, isUnexpected } = await deliverFrom(options, { file, place })
    if (quota) throw new NoRoom(`${reason}: the mailbox waits for room`)
    if (isUnexpected) throw new MessageFailure(reason ?? 'The server failed')
    if (outcome === 'later') throw new MailboxFailure(reason ?? 'The server failed')
    return message.arrivedAt
  } finally {
    await rm(file, { force: true }).catch(() => {}) // a restart removes it
  }
}

/** What the mail server fails to give may be this message alone. */
async function ofMessage<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof MailboxFailure ? new MessageFailure(error.message) : error
  }
}
