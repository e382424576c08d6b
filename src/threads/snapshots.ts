import type { Snapshot } from '../engine/finding/reading.ts'
import { errorFields, log } from '../lib/log.ts'
import { Thread } from '../lib/thread.ts'
import { startThread } from '../packaging/embedded.ts'
import { unavailable } from '../store/constraint.ts'
import { noErasures, type WaitingErasures } from '../store/erasure-watch.ts'
import type { PositionCells, Shown } from '../store/log-position.ts'
import type { Viewer } from '../store/visibility.ts'

/** A question about a workspace, with the name of its long reading. */
interface LongRead {
  workspaceId: number
  viewer: Viewer
  reading: string
  question: unknown
}

/** The input of a thread. */
export interface SnapshotInput extends LongRead {
  /** The path of the database. */
  path: string
  /** The positions of snapshots, of a server with a log. */
  positions: PositionCells | undefined
}

/** A message from a thread: the number of the newest change with the position of the snapshot, then the parts. */
export type SnapshotMessage = { seq: number; position: number | undefined } | { part: string } | 'end'

/** Each takes a thread of about 20 MiB. */
const threadsMax = 2
/** How long a snapshot may take: its read transaction keeps the write-ahead log from being reset. */
const snapshotMsMax = 300_000
/** How long an erasure waits for a snapshot that began before it: within a minute, no byte may be left (decision G11). */
const erasureMsMax = 40_000
const erasureCheckMs = 1_000
/** How long a snapshot waits for the first part to be read: its client may have gone before the response began. */
const unreadMsMax = 30_000

export interface SnapshotsOptions {
  timeMsMax?: number | undefined
  positions?: PositionCells | undefined
  /** Those that wait for readers to end. Default: none. */
  erasures?: () => WaitingErasures
}

/** Reads snapshots and exports on threads: two at a time, one of a company. */
export class Snapshots {
  readonly #path: string
  readonly #timeMsMax: number
  readonly #positions: PositionCells | undefined
  readonly #erasures: () => WaitingErasures
  /** By company. */
  readonly #running = new Map<string, SnapshotThread>()

  constructor(
    path: string,
    { timeMsMax = snapshotMsMax, positions, erasures = () => noErasures }: SnapshotsOptions = {},
  ) {
    this.#path = path
    this.#timeMsMax = timeMsMax
    this.#positions = positions
    this.#erasures = erasures
  }

  /** Tells `shown` the position. Throws 503 SERVICE_UNAVAILABLE if too many are being read, or if no thread can run. */
  async open(companyId: string, read: LongRead, shown?: Shown): Promise<Snapshot> {
    await this.#waitForEnding(companyId)
    if (this.#running.has(companyId)) throw unavailable('Another snapshot or export of this company is being read')
    if (this.#running.size >= threadsMax) throw unavailable('Too many snapshots and exports are being read')
    const input = { path: this.#path, ...read, positions: this.#positions }
    const thread = new SnapshotThread(input, this.#timeMsMax, () => this.#running.delete(companyId))
    this.#running.set(companyId, thread)
    this.#endBeforeErasures(thread)
    return thread.open(shown)
  }

  /** Waits for threads that are being ended, because their clients have gone or sent HEAD, if they take the place of this one. */
  async #waitForEnding(companyId: string): Promise<void> {
    if (!this.#running.has(companyId) && this.#running.size < threadsMax) return
    await Promise.all([...this.#running.values()].map(({ ending }) => ending))
  }

  #endBeforeErasures(thread: SnapshotThread): void {
    const beginMs = performance.now()
    const timer = setInterval(() => {
      const { ageMs } = this.#erasures()
      if (ageMs > erasureMsMax && performance.now() - beginMs > ageMs) void thread.close()
      if (![...this.#running.values()].includes(thread)) clearInterval(timer)
    }, erasureCheckMs).unref()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.values()].map((thread) => thread.close()))
  }
}

interface Asked {
  resolve: (message: SnapshotMessage) => void
  reject: (error: unknown) => void
}

class SnapshotThread {
  readonly #input: SnapshotInput
  readonly #onEnd: () => void
  readonly #limit: NodeJS.Timeout
  #unread: NodeJS.Timeout | undefined
  #thread: Thread<'next', SnapshotMessage> | undefined
  #asked: Asked | undefined
  #hasEnded = false
  #ending: Promise<void> | undefined

  /** Calls `onEnd` once, when the thread has ended. */
  constructor(input: SnapshotInput, timeMsMax: number, onEnd: () => void) {
    this.#input = input
    this.#onEnd = onEnd
    this.#limit = setTimeout(() => void this.close(), timeMsMax).unref()
  }

  async open(shown?: Shown): Promise<Snapshot> {
    const first = await this.#start().catch((error) => {
      log('a snapshot or an export could not be read', errorFields(error), 'error')
      this.#end()
      throw unavailable('Snapshots and exports are not available right now', error)
    })
    this.#unread = setTimeout(() => void this.close(), unreadMsMax).unref()
    const { seq, position } = first as { seq: number; position: number | undefined }
    shown?.note(position)
    return { seq, read: (head) => this.#parts(head) }
  }

  /** Resolves when the thread has ended; undefined: nobody has closed it. */
  get ending(): Promise<void> | undefined {
    return this.#ending
  }

  close(): Promise<void> {
    this.#ending ??= this.#close()
    return this.#ending
  }

  async #close(): Promise<void> {
    await this.#thread?.terminate()
    this.#end()
  }

  /** Ending the iteration ends the thread, even before its first step, which a generator would not do. */
  #parts(head: string): AsyncIterableIterator<string> {
    let isBegun = false
    const parts: AsyncIterableIterator<string> = {
      [Symbol.asyncIterator]: () => parts,
      next: async () => {
        clearTimeout(this.#unread)
        if (isBegun) return this.#nextPart()
        isBegun = true
        return { value: head }
      },
      return: async () => {
        await this.close()
        return { done: true, value: undefined }
      },
    }
    return parts
  }

  async #nextPart(): Promise<IteratorResult<string>> {
    const message = await this.#next()
    if (message !== 'end') return { value: (message as { part: string }).part }
    await this.close()
    return { done: true, value: undefined }
  }

  /** Starts the thread. Resolves with its first message. */
  #start(): Promise<SnapshotMessage> {
    return new Promise((resolve, reject) => {
      this.#asked = { resolve, reject }
      this.#thread = new Thread(startThread('snapshot-thread', this.#input), {
        onReport: (message) => this.#settle(({ resolve }) => resolve(message)),
        onError: (error) => this.#settle(({ reject }) => reject(error)),
        onExit: () => this.#end(),
      })
    })
  }

  #next(): Promise<SnapshotMessage> {
    return new Promise((resolve, reject) => {
      if (this.#hasEnded) {
        reject(new Error('The snapshot was interrupted'))
        return
      }
      this.#asked = { resolve, reject }
      this.#thread!.post('next')
    })
  }

  #settle(settle: (asked: Asked) => void): void {
    const asked = this.#asked
    this.#asked = undefined
    if (asked) settle(asked)
  }

  #end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#limit)
    clearTimeout(this.#unread)
    this.#settle(({ reject }) => reject(new Error('The snapshot was interrupted')))
    this.#onEnd()
  }
}
