import { setTimeout as delay } from 'node:timers/promises'
import type { LogMeasures } from '../http/metrics.ts'
import { secondMs } from '../lib/clock.ts'
import { errorFields, log as report } from '../lib/log.ts'
import { unavailable } from '../store/constraint.ts'
import { logUnlessFull } from '../store/disk-state.ts'
import { countFrames, type Durability } from '../store/durability.ts'
import { LogPosition } from '../store/log-position.ts'
import { type Connection, openConnection } from '../store/open.ts'
import { BaseSender } from './base-sender.ts'
import { Checkpoints } from './checkpoints.ts'
import { leaveIfDiskFails } from './failing-disk.ts'
import { Follower, followsAnother, Unfollowable } from './follower.ts'
import { isOfEtcd } from './gateway.ts'
import { handOver, orLeaveLead } from './hand-over.ts'
import { takeLead } from './join.ts'
import type { Head, NodeReport, Trimmed } from './log.ts'
import { loggedDurability } from './logged-durability.ts'
import type { MemberOptions } from './member-options.ts'
import { Progress } from './progress.ts'
import { Reports } from './reports.ts'
import { Shipper } from './shipper.ts'
import { Trimmer, usualSizes } from './trimmer.ts'
import { type Mark, WalReader } from './wal-reader.ts'
import { WalWriter } from './wal-writer.ts'

/** How long a follower waits before it asks for the next entries: when there were some, and when there were none. */
const [pollMs, idlePollMs] = [2, 10]
const retryMs = 100
/** How long a leader waits before it looks again whether it leads. */
const watchMs = 500

/** A node that runs: it follows until it leads, and then leads until it ends. */
export class Member {
  readonly joined: MemberOptions['joined']
  readonly checkpoints: Checkpoints
  /** For the store: syncs the disk and the log. */
  readonly durability: Durability
  /** What new snapshots of the database show. */
  readonly shown: LogPosition
  readonly #options: MemberOptions
  readonly #observer: Connection
  readonly #writer: WalWriter
  #follower: Follower | undefined
  #shipper: Shipper | undefined
  /** Where writes are accepted, as far as this node knows. */
  leaderUrl: string
  #isStopping = false
  #loop: Promise<void> = Promise.resolve()
  readonly #reports: Reports
  /** When this follower had everything that the log had. */
  #wholeMs = performance.now()
  #logBytes = 0
  readonly #progress = new Progress()
  readonly #bases: BaseSender

  /** SQLite has opened the database. */
  constructor(options: MemberOptions) {
    const { joined } = options
    const { place, log } = joined
    this.joined = joined
    this.#options = options
    this.leaderUrl = place.settings.advertise
    this.#observer = openConnection(place.path, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
    this.#writer = new WalWriter(place.path, place.file.firstPage())
    this.durability = loggedDurability(options.local, () => this.#shipper)
    this.#reports = new Reports(joined, () => this.#prepareReport())
    this.checkpoints = new Checkpoints({
      path: place.path,
      shipping: () => this.#shipper,
      isSafe: () => !this.durability.suspect,
      confirm: async () => options.store?.()?.confirm(),
    })
    this.#bases = new BaseSender(place.file, this.checkpoints, () => countFrames(this.#observer))
    this.shown = new LogPosition(joined.lead?.head.position ?? place.file.position())
    if (joined.lead) this.#lead(joined.lead.head, joined.lead.trimmed, joined.lead.from)
    else {
      const { schemaVersion } = this.#writer
      const onApplied = () => {
        if (this.#writer.schemaVersion !== schemaVersion) options.onFatal('the leader has another schema')
        options.store?.()?.disk.clear()
        this.#progress.note()
      }
      const known = { log, id: place.state!.log, writer: this.#writer, position: this.shown }
      this.#follower = new Follower({ ...known, onApplied })
    }
  }

  get isLeader(): boolean {
    return this.#shipper !== undefined
  }

  /** The position of what readers see here: on a leader, of what is in the log. */
  get position(): number {
    return this.#shipper?.head.position ?? this.shown.now
  }

  /** For the metrics. */
  get measures(): LogMeasures {
    const { isLeader, position } = this
    const { fenced } = this.joined.place.state!
    if (this.#shipper) return { position, isLeader, fenced, ...this.#shipper.measures }
    const behindSeconds = (performance.now() - this.#wholeMs) / secondMs
    return { position, isLeader, fenced, behindSeconds, isFailing: false, appendSeconds: 0, bytes: this.#logBytes }
  }

  /** Whether this node may answer at all. A leader may have been replaced once its lease has ended; a follower never is. */
  get mayAnswer(): boolean {
    return !this.isLeader || this.joined.lease.leads
  }

  /** Throws 503 SERVICE_UNAVAILABLE if nothing can be written here; then nothing has been done. */
  requireWritable(): void {
    if (!this.#shipper) throw followsAnother(this.leaderUrl)
    this.#shipper.requireWritable()
  }

  /** Resolves with whether readers see this position, within `ms` milliseconds. */
  reach(position: number, ms: number): Promise<boolean> {
    return this.#progress.reach(() => this.position >= position, ms)
  }

  /** Returns a copy of the database, for a node that joins. Throws 503 SERVICE_UNAVAILABLE. */
  openBase(): Promise<AsyncIterable<Buffer>> {
    if (!this.#shipper) throw unavailable('This server does not lead')
    return this.#bases.open(this.#shipper)
  }

  /** Begins to follow, or to lead. */
  start(): void {
    this.#loop = this.#run()
    this.#reports.start()
  }

  /** Ends: a leader writes everything to the log and leaves the lead to others. Returns whether the database is one that the log has. */
  async stop(): Promise<boolean> {
    this.#isStopping = true
    this.#reports.stop()
    await Promise.all([this.#loop, this.checkpoints.pause()])
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
    const { place } = this.joined
    const [shipper, checkpoints, writer] = [this.#shipper, this.checkpoints, this.#writer]
    if (!shipper && place.state!.leading !== null) place.update({ leading: null }) // it ends before it led
    if (!shipper) return true
    if (this.durability.suspect) await this.#options.store?.()?.confirm() // later, its write would not get into the log
    await handOver(this.joined, { shipper, checkpoints, writer, countFrames: () => countFrames(this.#observer) })
    return true
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      try {
        await delay(await (this.#shipper ? this.#watch(this.#shipper) : this.#follow()))
      } catch (error) {
        if (error instanceof Unfollowable) return this.#startAgain(error)
        const isEtcd = isOfEtcd(error)
        this.#options.store?.()?.disk.note(error)
        if (!isEtcd) logUnlessFull('this node could not follow its log', error)
        await delay(isEtcd ? retryMs : secondMs)
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
    if (leader && leader.node !== this.joined.place.node) this.leaderUrl = leader.url
    else if (follower.hasAllOf(state) && this.joined.lease.isHeld)
      await orLeaveLead(this.joined, () => this.#tryToLead(follower))
    return state.parts.length > 0 ? pollMs : idlePollMs
  }

  async #tryToLead(follower: Follower): Promise<void> {
    const { place, log, lease } = this.joined
    if (!(await lease.campaign(place.self))) return
    const state = await follower.catchUp()
    const head = await takeLead(place, log, state.head!)
    if (!head) return
    // Not beside a checkpoint of a follower, which moves everything.
    await this.checkpoints.whileShipped(() => this.#lead(head, state.trimmed))
    this.#options.onLead()
  }

  /** `from`: where the write-ahead log goes beyond the log. Default: at its end. */
  #lead(head: Head, trimmed: Trimmed, from?: Mark): void {
    const { place, log } = this.joined
    const reader = new WalReader(place.path)
    reader.readTo(from?.frames ?? countFrames(this.#observer))
    const shipper = new Shipper({
      ...{ log, head, reader, shown: this.shown },
      trimmer: new Trimmer(log, trimmed, this.#options.sizes ?? usualSizes),
      countFrames: () => countFrames(this.#observer),
      onReplaced: (reason) => this.#replaced(reason),
    })
    place.update({ shipping: head.epoch, unshipped: true })
    this.#shipper = shipper
    this.leaderUrl = place.settings.advertise
    report('this node leads', { epoch: head.epoch, position: head.position })
  }

  /** Checks that this node still leads, and continues to lead if only its lease has ended. */
  async #watch(shipper: Shipper): Promise<number> {
    const { place, lease } = this.joined
    const replacement = await shipper.replacement()
    if (replacement !== undefined) this.#replaced(replacement)
    else if (!lease.leads) await lease.campaign(place.self, () => shipper.isCurrent())
    if (lease.leads) await shipper.upkeep()
    await leaveIfDiskFails(this.#options, shipper.head.position)
    return lease.leads ? watchMs : retryMs
  }

  #replaced(reason: string): void {
    const { place } = this.joined
    place.noteAtEnd({ fenced: place.state!.fenced + 1, shipping: null })
    this.#options.onFatal(reason)
  }

  /** The next start copies the leader's database. */
  #startAgain(reason: Error): void {
    this.joined.place.noteAtEnd({ needsBase: true })
    this.#options.onFatal(reason.message)
  }

  /** What a follower reports is on its disk. */
  async #prepareReport(): Promise<NodeReport> {
    const { place } = this.joined
    const { position } = this
    if (!place.hasDatabase) this.#options.onFatal('the database is no longer in its directory')
    if (!this.isLeader) await this.#writer.sync().catch((error) => this.#startAgain(error))
    return { ...place.self, position, version: this.#options.version, room: place.hasRoom }
  }
}
