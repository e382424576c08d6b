import { setTimeout as delay } from 'node:timers/promises'
import { OperatorError } from '../errors.ts'
import { secondMs, systemClock } from '../lib/clock.ts'
import { log as report } from '../lib/log.ts'
import { stampOf } from '../lib/stamp.ts'
import { makeDirectory } from '../store/directory.ts'
import { lock } from '../store/lock.ts'
import { LogPosition } from '../store/log-position.ts'
import { claim } from './claim.ts'
import { fetchBase } from './fetch-base.ts'
import { Follower, Unfollowable } from './follower.ts'
import { isOfEtcd } from './gateway.ts'
import { orLeaveLead } from './hand-over.ts'
import { Lease } from './lease.ts'
import type { Head, Log, LogState, Trimmed } from './log.ts'
import { openLogOf } from './options.ts'
import { Place } from './place.ts'
import { compareWithLog } from './relead.ts'
import type { LogSettings } from './state.ts'
import { WaitingReport } from './waiting-report.ts'
import type { Mark } from './wal-reader.ts'
import { WalWriter } from './wal-writer.ts'

/** How long a node waits before it tries again, and before it reads more entries when there were some. */
const [retryMs, moreMs] = [200, 2]
/** The size of the write-ahead log beyond which a node that waits moves it into its database. */
const walBytesMax = 16 * 2 ** 20
const beginning: Mark = { salts: '', frames: 0 }

/** A node whose database belongs to the log, before SQLite has opened it. */
export interface Joined {
  place: Place
  log: Log
  lease: Lease
  /** It leads from this head on, and its write-ahead log from this place on has yet to be written to the log. Undefined: it follows. */
  lead?: { head: Head; trimmed: Trimmed; from: Mark }
  release(): void
}

interface JoinOptions {
  directory: string
  settings: LogSettings
  /** The version of the schema that this program needs. */
  schemaVersion: number
  /** The version of this program. */
  version: string
  waiting?: WaitingReport
}

/** Brings a data directory into its log: as the first node, as the leader again, or with a copy of the leader's database. Throws OperatorError. */
export async function join({
  directory,
  settings,
  schemaVersion,
  version,
  waiting = new WaitingReport(),
}: JoinOptions): Promise<Joined> {
  makeDirectory(directory)
  const release = lock(directory)
  const log = openLogOf(settings)
  const lease = new Lease(log, settings.logLeaseSeconds)
  const place = new Place(directory, settings)
  place.endShipping()
  await lease.open(waiting)
  const joining = new Joining(place, log, lease, schemaVersion, waiting)
  let isClaimed = false
  try {
    for (;;) {
      try {
        if (!isClaimed) await claim({ place, log, lease, version, waiting })
        isClaimed = true
        const found = await orLeaveLead({ place, log }, () => joining.attempt())
        if (found) {
          place.keepSettings()
          return { place, log, lease, release, ...found }
        }
      } catch (error) {
        if (error instanceof OperatorError) throw error
        if (error instanceof Unfollowable) place.update({ needsBase: true })
        waiting.say('this node could not join the log yet', { reason: String(error) })
        if (!isOfEtcd(error)) await delay(secondMs) // each attempt may write to etcd
      }
      await delay(retryMs)
    }
  } catch (error) {
    await lease.close() // with what this node has claimed
    throw error
  }
}

/** The ways into a log. Each returns undefined if it has to be tried again. */
class Joining {
  readonly #place: Place
  readonly #log: Log
  readonly #lease: Lease
  readonly #schemaVersion: number
  readonly #waiting: WaitingReport

  constructor(place: Place, log: Log, lease: Lease, schemaVersion: number, waiting: WaitingReport) {
    this.#place = place
    this.#log = log
    this.#lease = lease
    this.#schemaVersion = schemaVersion
    this.#waiting = waiting
  }

  async attempt(): Promise<Pick<Joined, 'lead'> | undefined> {
    const place = this.#place
    const log = await this.#log.read(Number.MAX_SAFE_INTEGER) // without its entries
    if (!log.head) return this.#begin()
    if (!place.hasDatabase) return this.#takeBase(log)
    if (place.state?.log !== log.head.log) throw notOurs(place)
    const { leading, needsBase } = place.state
    if (leading !== null && leading <= log.head.epoch) return this.#afterLeading(log.head, log.trimmed)
    if (leading !== null) place.update({ leading: null }) // it ended before it led
    const position = place.file.position()
    if (position > log.head.position) throw isAhead(place)
    return needsBase || position < log.trimmed.position ? this.#takeBase(log) : this.#follow(position)
  }

  /** The first node of an empty log may bring a database. */
  async #begin(): Promise<Pick<Joined, 'lead'> | undefined> {
    const place = this.#place
    if (place.state && place.state.leading !== 0) throw hasNoLog(place)
    if (!(await this.#lease.campaign(place.self))) return undefined
    if (!place.state) {
      if (place.hasDatabase && place.file.position() > 0) place.renumber(undefined) // it had another log
      place.enter(crypto.randomUUID(), 0)
    }
    const position = place.hasDatabase ? place.file.position() : 0
    const head = { log: place.state!.log, epoch: 1, owner: place.node, position, bytes: 0 }
    if (await this.#log.begin(head)) {
      place.update({ leading: head.epoch })
      return { lead: { head, trimmed: { position, bytes: 0 }, from: beginning } }
    }
    place.leave()
    return undefined
  }

  async #takeBase({ head, leader }: LogState): Promise<undefined> {
    if (!leader) {
      this.#waiting.say('waiting for a node that leads, to copy its database')
      return
    }
    if (!this.#place.hasDatabase) this.#place.enter(head!.log, null)
    await fetchBase(leader.url, this.#place.path, { log: head!.log, secret: await this.#log.secret() })
    this.#place.hasBase()
  }

  /** After a crash, or a stop in which not everything could be written to the log. */
  async #afterLeading(head: Head, trimmed: Trimmed): Promise<Pick<Joined, 'lead'> | undefined> {
    const place = this.#place
    if (head.owner !== place.node) {
      const file = place.setAside(stampOf(systemClock.now()))
      report('another node has led since this one did: its database is set aside', { file })
      return undefined
    }
    if (place.state!.needsBase) return this.#waitForOther()
    if (!(await this.#lease.campaign(place.self))) return undefined
    const relation = await compareWithLog(place, this.#log, head)
    if (relation === 'behind') await this.#catchUp(trimmed)
    const next = await takeHead(place, this.#log, head)
    // Its position is that of the log now, and its write-ahead log another one than the last entry names.
    if (next && relation === 'behind') place.update({ leading: next.epoch })
    return next && { lead: { head: next, trimmed, from: relation === 'behind' ? beginning : relation.ahead } }
  }

  /** It does not lead with a database of which it cannot know what it has more than the log. */
  #waitForOther(): undefined {
    this.#waiting.say('waiting for another server to lead, as this database cannot be compared with the log any more', {
      without: '"kontor log reset" begins a new log with this database',
    })
  }

  /** Writes all entries that are kept: a power cut took some of them from this disk. */
  async #catchUp(trimmed: Trimmed): Promise<void> {
    const writer = new WalWriter(this.#place.path, this.#place.file.firstPage())
    try {
      await this.#follower(writer, trimmed.position).catchUp()
    } finally {
      writer.close(true)
    }
  }

  #follower(writer: WalWriter, position: number): Follower {
    return new Follower({ log: this.#log, id: this.#place.state!.log, writer, position: new LogPosition(position) })
  }

  /** Follows without serving until the database has the schema of this program, or until this node can lead and upgrade it. */
  async #follow(position: number): Promise<Pick<Joined, 'lead'> | undefined> {
    const place = this.#place
    if (place.schemaVersion === this.#schemaVersion) return {}
    const writer = new WalWriter(place.path, place.file.firstPage())
    const follower = this.#follower(writer, position)
    try {
      for (;;) {
        const { schemaVersion } = writer
        if (schemaVersion === this.#schemaVersion) return {}
        this.#waiting.say('waiting for a leader of the same version', {
          schema: schemaVersion,
          needed: this.#schemaVersion,
        })
        const { head, leader, trimmed, parts } = await follower.step()
        const isNewer = writer.schemaVersion < this.#schemaVersion
        const isFree = !leader || leader.node === place.node // the answer to an earlier attempt was lost
        if (isNewer && isFree && parts.length === 0 && (await this.#lease.campaign(place.self))) {
          const next = await takeLead(place, this.#log, head!)
          if (next) return { lead: { head: next, trimmed, from: beginning } }
        }
        if (place.walBytes > walBytesMax) return undefined // SQLite moves it when it is closed, and the next attempt goes on from there
        await delay(parts.length > 0 ? moreMs : retryMs)
      }
    } finally {
      writer.close(true)
    }
  }
}

/** Makes a node that follows the leader of the next epoch, if the head is still this one. Returns the new head. */
export async function takeLead(place: Place, log: Log, head: Head): Promise<Head | undefined> {
  if (head.owner === place.node && head.epoch === place.state!.leading) return head // an earlier answer was lost
  place.update({ leading: head.epoch + 1 })
  const next = await takeHead(place, log, head)
  if (!next) place.update({ leading: null })
  return next
}

async function takeHead(place: Place, log: Log, head: Head): Promise<Head | undefined> {
  const next = { ...head, epoch: head.epoch + 1, owner: place.node }
  return (await log.advance(head, next)) ? next : undefined
}

function notOurs({ directory, path }: Place): OperatorError {
  return new OperatorError(
    `${directory} does not belong to this log: move ${path} away to copy the leader's database, begin a new log with this one by "kontor log reset", or choose another directory or log.`,
  )
}

function hasNoLog({ directory }: Place): OperatorError {
  return new OperatorError(
    `The log of ${directory} no longer exists: stop all nodes, and begin a new one with "kontor log reset".`,
  )
}

function isAhead({ directory }: Place): OperatorError {
  return new OperatorError(
    `${directory} is newer than the log, which was restored or reset: see "kontor log reset", or move the directory away.`,
  )
}
