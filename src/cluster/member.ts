import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '../errors.ts'
import type { LogMeasures } from '../http/metrics.ts'
import { secondMs } from '../lib/clock.ts'
import { errorFields, log as report } from '../lib/log.ts'
import { unavailable } from '../store/constraint.ts'
import type { Durability } from '../store/durability.ts'
import { type Connection, openConnection } from '../store/open.ts'
import { sendBase } from './base.ts'
import { Checkpoints } from './checkpoints.ts'
import { Follower, Unfollowable } from './follower.ts'
import { type Joined, takeHead } from './join.ts'
import type { Head, LogState, NodeReport, Trimmed } from './log.ts'
import { Shipper } from './shipper.ts'
import { type Mark, WalReader } from './wal-reader.ts'
import { WalWriter } from './wal-writer.ts'

/** How long a follower waits, in milliseconds, before it asks for the next entries: when there were some, and when there were none. */
const pollMs = 5
const idlePollMs = 20
const retryMs = 100
const reportEveryMs = secondMs
/** How long, in milliseconds, a node that has copied the database may take to read what was written meanwhile. */
const joinMsMax = 60 * secondMs

interface MemberOptions {
  joined: Joined
  version: string
  /** Syncs this machine's disk. */
  local: Durability
  /** Called when this node has begun to lead. */
  onLead(): Promise<void>
  /** Called when the process must end. */
  onFatal(reason: string): void
}

/** A node that runs: it follows until it leads, and then leads until it ends. */
export class Member {
  readonly joined: Joined
  readonly checkpoints: Checkpoints
  readonly #options: MemberOptions
  readonly #observer: Connection
  readonly #writer: WalWriter
  #follower: Follower | undefined
  #shipper: Shipper | undefined
  #leaderUrl: string
  #isStopping = false
  /** Resolves when the loop has ended. */
  #loop: Promise<void> = Promise.resolve()
  #reportTimer: NodeJS.Timeout | undefined
  /** When this follower had everything that the log had. */
  #wholeMs = performance.now()
  #logBytes = 0
  /** Whether a node copies this one's database. */
  #isSending = false
  /** Readers that wait for a position. */
  #waiting: (() => void)[] = []

  /** SQLite has opened the database. */
  constructor(options: MemberOptions) {
    const { joined } = options
    const { place, log } = joined
    this.joined = joined
    this.#options = options
    this.#leaderUrl = place.settings.advertise
    this.#observer = openConnection(place.path, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
    this.#writer = new WalWriter(place.path, place.file.firstPage())
    this.checkpoints = new Checkpoints({
      path: place.path,
      shipping: () => this.#shipper,
      isSafe: () => !this.durability.suspect,
    })
    if (joined.lead) this.#lead(joined.lead.head, joined.lead.trimmed, joined.lead.from)
    else this.#follower = new Follower(log, this.#writer, place.file.position(), () => this.#wake())
  }

  get isLeader(): boolean {
    return this.#shipper !== undefined
  }

  get shipper(): Shipper | undefined {
    return this.#shipper
  }

  /** The position of what readers see here: on a leader, of what is in the log. */
  get position(): number {
    return this.#shipper?.head.position ?? this.#follower!.position
  }

  /** Where writes are accepted, as far as this node knows. */
  get leaderUrl(): string {
    return this.#leaderUrl
  }

  /** For the metrics. */
  get measures(): LogMeasures {
    const shipper = this.#shipper
    const { isLeader, position } = this
    return {
      ...{ position, isLeader, isFailing: (shipper?.failingSeconds ?? 0) > 0, fenced: this.joined.place.state!.fenced },
      behindSeconds: shipper ? shipper.failingSeconds : (performance.now() - this.#wholeMs) / secondMs,
      appendSeconds: (shipper?.appendMs ?? 0) / secondMs,
      bytes: shipper?.bytes ?? this.#logBytes,
    }
  }

  /** Whether this node may answer at all. A leader may have been replaced once its lease has ended; a follower never is. */
  get mayAnswer(): boolean {
    return !this.isLeader || this.joined.lease.isHeld
  }

  /** Syncs the disk and the log, at the same time. A follower has nothing to sync. */
  get durability(): Durability {
    const { local } = this.#options
    const isLeader = () => this.isLeader
    return {
      get suspect() {
        return isLeader() && local.suspect
      },
      sync: async () => {
        if (this.#shipper) await Promise.all([local.sync(), this.#shipper.ship()])
      },
      rewrite: () => local.rewrite(),
      close: () => local.close(),
    }
  }

  /** Throws 503 SERVICE_UNAVAILABLE if nothing can be written here; then nothing has been done. */
  requireWritable(): void {
    this.#shipper?.requireWritable()
    if (this.#shipper) return
    throw new ApiError('SERVICE_UNAVAILABLE', 'This server follows another one, which accepts writes', {
      headers: { 'Kontor-Leader': this.#leaderUrl, 'Retry-After': '1' },
    })
  }

  /** Resolves with whether readers see this position, within `ms` milliseconds. */
  async reach(position: number, ms: number): Promise<boolean> {
    const endMs = performance.now() + ms
    while (this.position < position) {
      const leftMs = endMs - performance.now()
      if (leftMs <= 0) return false
      const timer = new AbortController()
      const woken = new Promise<void>((resolve) => this.#waiting.push(resolve))
      await Promise.race([woken, delay(Math.min(leftMs, retryMs), undefined, { signal: timer.signal }).catch(() => {})])
      timer.abort()
    }
    return true
  }

  /** Returns a copy of the database, for a node that joins; its end frees what it needs. Throws 503 SERVICE_UNAVAILABLE. */
  async openBase(): Promise<AsyncIterable<Buffer>> {
    const { place } = this.joined
    const shipper = this.#shipper
    if (!shipper || this.#isSending) throw unavailable('This server does not copy its database at present')
    this.#isSending = true
    const reader = openConnection(place.path, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
    const end = () => {
      this.#isSending = false
      reader.close()
      shipper.release(joinMsMax)
    }
    try {
      const head = await this.checkpoints.whileShipped(() => {
        reader.exec('BEGIN; SELECT 1 FROM sqlite_schema')
        shipper.keepFrom(shipper.head.position)
        const [pages, pageSize] = ['page_count', 'page_size'].map(
          (name) => reader.pragma(name, { simple: true }) as number,
        )
        const { log, position } = shipper.head
        return { log, position, pages: pages!, pageSize: pageSize!, frames: this.#countFrames() }
      })
      return endingWith(sendBase(place.file, head), end)
    } catch (error) {
      end()
      throw error
    }
  }

  /** Begins to follow, or to lead. */
  start(): void {
    this.#loop = this.#run()
    this.#reportLater()
  }

  /** Ends: a leader writes everything to the log and leaves the lead to others. Returns whether the database is one that the log has. */
  async stop(): Promise<boolean> {
    this.#isStopping = true
    clearTimeout(this.#reportTimer)
    await this.#loop
    const isWhole = await this.#leave().catch((error) => {
      report('the log could not be written before the end', errorFields(error), 'error')
      return false
    })
    await this.checkpoints.stop()
    await this.joined.lease.close()
    this.joined.log.close()
    if (!isWhole) return false
    this.#observer.close()
    this.#writer.close()
    return true
  }

  async #leave(): Promise<boolean> {
    const { place, log } = this.joined
    if (!this.#shipper) return true
    await this.checkpoints.whileShipped(() => {})
    this.#writer.mark(this.#shipper.head.position, place.file.firstPage())
    place.update({ leading: null })
    await log.resign(place.self)
    return true
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      try {
        await delay(await (this.#shipper ? this.#watch() : this.#follow()))
      } catch (error) {
        if (error instanceof Unfollowable) return this.#startAgain(error)
        await delay(retryMs) // etcd cannot be reached
      }
    }
  }

  /** Writes the next entries. Leads if nobody does. Returns how long to wait. */
  async #follow(): Promise<number> {
    const follower = this.#follower!
    const state = await follower.step()
    const { leader, head, trimmed } = state
    this.#logBytes = head!.bytes - trimmed.bytes
    if (follower.hasAllOf(state)) this.#wholeMs = performance.now()
    if (leader && leader.node !== this.joined.place.node) this.#leaderUrl = leader.url
    else if (follower.hasAllOf(state) && this.joined.lease.isHeld) await this.#tryToLead()
    return state.parts.length > 0 ? pollMs : idlePollMs
  }

  async #tryToLead(): Promise<void> {
    const { place, log, lease } = this.joined
    if (!(await log.campaign(place.self, lease.id))) return
    let state: LogState
    do state = await this.#follower!.step()
    while (!this.#follower!.hasAllOf(state))
    const head = await this.#takeHead(state.head!)
    if (!head) return
    this.#lead(head, state.trimmed)
    await this.#options.onLead()
  }

  async #takeHead(head: Head): Promise<Head | undefined> {
    const { place, log } = this.joined
    const isTaken = head.owner === place.node && head.epoch === place.state!.leading // the answer was lost
    if (isTaken) return head
    place.update({ leading: head.epoch + 1 })
    const next = await takeHead(place, log, head)
    if (!next) place.update({ leading: null })
    return next
  }

  /** `from`: where the write-ahead log goes beyond the log. Default: at its end. */
  #lead(head: Head, trimmed: Trimmed, from?: Mark): void {
    const { place, log } = this.joined
    const reader = new WalReader(place.path)
    reader.readTo(from?.frames ?? this.#countFrames())
    this.#shipper = new Shipper({
      ...{ log, head, trimmed, reader },
      countFrames: () => this.#countFrames(),
      onReplaced: (reason) => this.#replaced(reason),
    })
    this.#leaderUrl = place.settings.advertise
    report('this node leads', { epoch: head.epoch, position: head.position })
  }

  /** Checks that this node still leads, and takes the lead again if only its lease has ended. */
  async #watch(): Promise<number> {
    const { place, log, lease } = this.joined
    const { head, leader } = await log.read(Number.MAX_SAFE_INTEGER)
    if (head?.epoch !== this.#shipper!.head.epoch || head.owner !== place.node) {
      this.#replaced('another node leads')
    } else if (leader?.node !== place.node) await log.campaign(place.self, lease.id)
    return reportEveryMs / 2
  }

  #replaced(reason: string): void {
    const { place } = this.joined
    place.update({ fenced: place.state!.fenced + 1 })
    this.#options.onFatal(reason)
  }

  /** This node cannot follow any more: the next start copies the leader's database. */
  #startAgain(reason: Error): void {
    this.joined.place.update({ needsBase: true })
    this.#options.onFatal(reason.message)
  }

  #countFrames(): number {
    const [{ log }] = this.#observer.pragma('wal_checkpoint(NOOP)') as [{ log: number }]
    return log
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }

  #reportLater(): void {
    this.#reportTimer = setTimeout(async () => {
      await this.#report().catch(() => {}) // the next one tells the same
      if (!this.#isStopping) this.#reportLater()
    }, reportEveryMs)
  }

  async #report(): Promise<void> {
    const { place, log, lease } = this.joined
    const { position } = this
    if (!this.isLeader) await this.#writer.sync().catch((error) => this.#startAgain(error))
    const own: NodeReport = {
      node: place.node,
      url: place.settings.advertise,
      position,
      version: this.#options.version,
    }
    await log.report(own, lease.id)
  }
}

/** Calls `end` once, when the parts have been read, or their reader stops. */
async function* endingWith<T>(parts: AsyncIterable<T>, end: () => void): AsyncGenerator<T> {
  try {
    yield* parts
  } finally {
    end()
  }
}
