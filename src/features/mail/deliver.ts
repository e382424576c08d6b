import { mkdir, rm } from 'node:fs/promises'
import type { Contents } from '../../content/contents.ts'
import { ApiError } from '../../errors.ts'
import { isInDomain } from '../../lib/email.ts'
import { errorFields, log } from '../../lib/log.ts'
import type { Mailroom } from '../../mail/mailroom.ts'
import type { MailAnswer, ReadMail } from '../../mail/read-mail.ts'
import { isPassing } from '../../store/constraint.ts'
import type { Run, Writer } from '../../store/reader.ts'
import type { Store } from '../../store/store.ts'
import type { Delivered, Delivery, Door } from './delivery.ts'
import { dryRunIn } from './dry-run.ts'
import { lookupMailAddress, type MailPlace } from './lookup-address.ts'
import { logDelivery } from './mail-log.ts'
import { recordedOf } from './people.ts'
import { recordIn } from './record-in.ts'
import type { Arrival } from './record-message.ts'

/** What a delivery needs. */
export interface DeliveryOptions {
  readonly store: Store
  readonly contents: Contents
  readonly mail: Mailroom
}

const unknownAddress = 'There is no such address'

/**
 * Delivers a message to addresses (decisions P3 to P6). Resolves, with what became of it at each address, when everything that is to be kept is
 * on disk. Companies are independent of each other: what fails at one comes `later`. Never rejects.
 */
export async function deliver(options: DeliveryOptions, delivery: Delivery): Promise<readonly Delivered[]> {
  const { store } = options
  const places = delivery.addresses.map((address) => lookupMailAddress(store.access, address))
  const first = places.find((place) => place !== undefined)
  if (!first) return delivery.addresses.map(unknown)
  return withAnswer(options, { ...delivery, companyId: first.companyId }, async (answer) => {
    const byWorkspace = Map.groupBy(
      new Set(places.filter((place) => place !== undefined)),
      (place) => place.workspaceId,
    )
    const delivered = new Map<string, Delivered>()
    for (const [workspaceId, own] of byWorkspace) {
      for (const each of await deliverIn(options, { ...delivery, workspaceId, places: own, answer }))
        delivered.set(each.address, each)
    }
    if (!delivery.dryRun) for (const { outcome } of delivered.values()) options.mail.counts.note(delivery.door, outcome)
    return delivery.addresses.map((address, at) => ofPlace(address, places[at], delivered))
  })
}

function ofPlace(address: string, place: MailPlace | undefined, delivered: ReadonlyMap<string, Delivered>): Delivered {
  return place ? { ...delivered.get(place.address)!, address } : unknown(address)
}

function unknown(address: string): Delivered {
  return { address, outcome: 'refused', reason: unknownAddress, messageId: null }
}

/** Delivers a message that a mailbox has brought. As `deliver`; what the company may not store comes later. */
export async function deliverFrom(
  options: DeliveryOptions,
  { file, place }: { file: string; place: MailPlace },
): Promise<Delivered> {
  const { companyId, workspaceId } = place
  return withAnswer(options, { file, companyId }, async (answer) => {
    const [delivered] = await deliverIn(options, { door: 'imap', file, workspaceId, places: [place], answer })
    options.mail.counts.note('imap', delivered!.outcome)
    return delivered!
  })
}

/** Notes that a message of a mailbox is passed over. */
export async function refuseFrom({ store, mail }: DeliveryOptions, place: MailPlace, reason: string): Promise<void> {
  await logRefusal((run) => store.write(place.workspaceId, run), 'imap', [place], reason)
  mail.counts.note('imap', 'refused')
}

/** A message, and the company whose share of the reading it takes. */
type Raw = Pick<Delivery, 'file' | 'smtp'> & { readonly companyId: string }

/** Reads a message, and removes the files with its attachments after `run`. */
async function withAnswer<T>(
  options: DeliveryOptions,
  raw: Raw,
  run: (answer: MailAnswer | undefined) => Promise<T>,
): Promise<T> {
  const answer = await readMail(options, raw)
  try {
    return await run(answer)
  } finally {
    if (answer && 'mail' in answer) await discardParts(answer.mail)
  }
}

/** Undefined: it could not be read now. */
async function readMail({ mail }: DeliveryOptions, { file, smtp, companyId }: Raw): Promise<MailAnswer | undefined> {
  try {
    await mkdir(mail.workDirectory, { recursive: true, mode: 0o700 })
    return await mail.reader.read(file, { workDirectory: mail.workDirectory, smtp, companyId })
  } catch (error) {
    logFailure(error)
    return undefined
  }
}

/** Removes the files with the attachments. */
export async function discardParts(mail: ReadMail): Promise<void> {
  for (const { file } of mail.attachments) await rm(file, { force: true }).catch(() => {}) // a restart removes it
  if (mail.original) await discardParts(mail.original)
}

interface Part {
  readonly door: Door
  readonly file: string
  readonly workspaceId: number
  readonly places: readonly MailPlace[]
  readonly answer: MailAnswer | undefined
  readonly dryRun?: boolean
}

/** Delivers a message to the addresses of one workspace. */
async function deliverIn(options: DeliveryOptions, { answer, ...part }: Part): Promise<readonly Delivered[]> {
  const { store, contents, mail: room } = options
  const { door, file, workspaceId, places, dryRun = false } = part
  const write = <T>(run: Run<T>) => store.write(workspaceId, run)
  const refuse = (reason: string, quota = false) =>
    dryRun ? refused(places, reason, quota) : logRefusal(write, door, places, reason, quota)
  try {
    if (!answer) return later(places, 'The message cannot be read at the moment')
    if ('refused' in answer) return await refuse(answer.refused)
    const arrival = arrivalOf(answer.mail, places, room)
    if (dryRun) return ofAll(places, await dryRunIn(write, file, arrival))
    const workplace = {
      contents,
      workspaceId,
      reader: store.workspace(workspaceId),
      file,
      prepare: write,
      release: write,
    }
    return await recordIn(workplace, arrival, (record) => write((tx) => logged(tx, door, places, record(tx))))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'PLAN_LIMIT_EXCEEDED') {
      if (door === 'imap') return later(places, error.message, { quota: true }) // the mailbox keeps it
      return Promise.resolve(refuse(error.message, true)).catch(() => later(places, error.message))
    }
    logFailure(error)
    const reason = error instanceof ApiError ? error.message : 'The server failed'
    return later(places, reason, { isUnexpected: !isPassing(error) })
  }
}

/** What is recorded of a message at these addresses. */
export function arrivalOf(mail: ReadMail, places: readonly MailPlace[], { domain }: Pick<Mailroom, 'domain'>): Arrival {
  const reached = new Set(places.flatMap(({ kind, address }) => (kind === 'source' ? [] : [address])))
  const isOwn = (address: string) => (domain !== undefined && isInDomain(address, domain)) || reached.has(address)
  return { recorded: recordedOf(mail, isOwn), places, isOwn }
}

type AtOne = Omit<Delivered, 'address' | 'reason'> & { reason?: string | null }

/** The same result at each address. */
function ofAll(places: readonly MailPlace[], { reason = null, ...result }: AtOne): readonly Delivered[] {
  return places.map(({ address }) => ({ address, reason, ...result }))
}

/** Notes the result at each address. */
export function logged(tx: Writer, door: Door, places: readonly MailPlace[], result: AtOne): readonly Delivered[] {
  const delivered = ofAll(places, result)
  for (const [at, place] of places.entries()) logDelivery(tx, door, place, delivered[at]!)
  return delivered
}

async function logRefusal(
  write: <T>(run: Run<T>) => Promise<T>,
  door: Door,
  places: readonly MailPlace[],
  reason: string,
  quota = false,
): Promise<readonly Delivered[]> {
  await write((tx) => logged(tx, door, places, { outcome: 'refused', reason, messageId: null }))
  return refused(places, reason, quota)
}

function refused(places: readonly MailPlace[], reason: string, quota: boolean): readonly Delivered[] {
  return ofAll(places, { outcome: 'refused', reason, messageId: null, ...(quota && { quota }) })
}

type Why = Pick<Delivered, 'quota' | 'isUnexpected'>

function later(places: readonly MailPlace[], reason: string, why: Why = {}): readonly Delivered[] {
  return ofAll(places, { outcome: 'later', reason, messageId: null, ...why })
}

function logFailure(error: unknown): void {
  log('a message was not delivered: it comes later', errorFields(error), 'error')
}
