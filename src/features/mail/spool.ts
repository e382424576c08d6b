import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { attempt } from '../../content/disk.ts'
import { ApiError } from '../../errors.ts'
import { Budget } from '../../lib/budget.ts'
import { errorFields, log } from '../../lib/log.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import { type DeliveryOptions, deliver } from './deliver.ts'
import { lookupMailAddress, takesMailFor } from './lookup-address.ts'
import { namesOf, writeMessage, writeWhole } from './spool-files.ts'

/** How many messages may wait, in total and for one address (its deliveries may fail for ever), and their bytes. */
const waitingMax = 2_000
const waitingPerAddressMax = 200
const waitingBytesMax = 4 * 2 ** 30
/** How many are delivered at a time, in total and for one company: its messages can wait for a slow name server. */
const deliveredMax = 8
const deliveredPerCompanyMax = 2
/** The pauses in milliseconds before a delivery that failed is repeated: each one is twice as long as the one before, up to the last. */
const firstPauseMs = 1_000
const lastPauseMs = 5 * 60_000

const notStored = 'The message was not stored'

interface Waiting {
  readonly id: string
  readonly bytes: number
  readonly address: string
  readonly sharer: string
  pauseMs: number
}

/** Takes a message away. Resolves with whether it is stored elsewhere; otherwise, it is tried again. */
export type Give = (file: string, address: string, signal: AbortSignal) => Promise<boolean>

/**
 * Messages that have been accepted and are delivered later, in a directory that survives a crash: `<id>.eml`, and `<id>.to` with the
 * address. A message is there when both are on disk; `<id>.part` is one that has not arrived.
 */
export class MailSpool {
  readonly #directory: string
  readonly #options: DeliveryOptions
  readonly #queue: Waiting[] = []
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #running = new Set<Promise<void>>()
  /** What waits, and what arrives. */
  readonly #known = new Set<string>()
  readonly #arriving = new Set<string>()
  readonly #room = new Budget({ total: waitingMax, share: waitingPerAddressMax })
  readonly #places = new Budget({ total: deliveredMax, share: deliveredPerCompanyMax })
  readonly #inTurn = oneAtATime()
  #give: Give = () => Promise.resolve(false)
  #ending = new AbortController()
  #bytes = 0
  #isStarted = false

  constructor(directory: string, options: DeliveryOptions) {
    this.#directory = directory
    this.#options = options
  }

  /** What waited for a company that has moved would be dropped with it. Throws SERVICE_UNAVAILABLE. */
  requireHere(address: string): void {
    takesMailFor(this.#options.store.access, address) // one that does not exist is accepted
  }

  /**
   * Accepts a message. Resolves when it is on disk. Throws INVALID_REQUEST (413), SERVICE_UNAVAILABLE, also if the company has begun to move
   * meanwhile; nothing stays if it throws.
   */
  async accept(source: AsyncIterable<Buffer>, address: string): Promise<void> {
    if (this.#bytes >= waitingBytesMax || this.#room.take([address], 1)) throw overfull()
    const id = randomUUID()
    this.#known.add(id)
    this.#arriving.add(id)
    let [bytes, sharer] = [0, '']
    try {
      bytes = await attempt(notStored, this.#directory, () => writeMessage(this.#directory, id, source, address))
      this.#options.store.renewSnapshot()
      this.requireHere(address) // an export that begins later finds the message
      sharer = this.#sharerOf(address)
    } catch (error) {
      for (const name of namesOf(id)) await rm(join(this.#directory, name), { force: true }).catch(() => {}) // the next start removes it
      this.#known.delete(id)
      this.#room.release([address], 1)
      throw error
    } finally {
      this.#arriving.delete(id)
    }
    this.#bytes += bytes
    this.#enqueue({ id, bytes, address, sharer, pauseMs: firstPauseMs })
  }

  /** Returns what would become of a message. Nothing is stored. */
  async dryRun(source: AsyncIterable<Buffer>, address: string): Promise<string> {
    const { workDirectory } = this.#options.mail
    const file = join(workDirectory, randomUUID())
    try {
      await attempt(notStored, file, async () => {
        await mkdir(workDirectory, { recursive: true, mode: 0o700 })
        await writeWhole(file, source)
      })
      const delivered = await deliver(this.#options, { door: 'http', addresses: [address], file, dryRun: true })
      return delivered[0]!.outcome
    } finally {
      await rm(file, { force: true })
    }
  }

  /** Begins to deliver, first what an earlier process has left. `give` delivers one message; default: here. */
  start(give: Give = (file, address) => this.#deliverHere(file, address)): Promise<void> {
    return this.#inTurn(async () => {
      await this.#halt()
      const left = await this.#listLeft()
      const queued = new Set(this.#queue.map(({ id }) => id))
      for (const each of left) {
        if (!queued.has(each.id) && !this.#arriving.has(each.id)) this.#queue.push(each)
        if (this.#known.has(each.id)) continue
        this.#known.add(each.id)
        this.#room.takeAnyway([each.address], 1)
        this.#bytes += each.bytes
      }
      this.#give = give
      this.#ending = new AbortController()
      this.#isStarted = true
      this.#deliverNext()
    })
  }

  /** Resolves when what is being delivered has ended. The rest waits for the next start. */
  stop(): Promise<void> {
    return this.#inTurn(() => this.#halt())
  }

  async #halt(): Promise<void> {
    this.#isStarted = false
    this.#ending.abort()
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
    await Promise.all(this.#running)
  }

  /** Resolves when nothing waits, except for what has failed. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  async #listLeft(): Promise<Waiting[]> {
    const left: Waiting[] = []
    const names = await readdir(this.#directory).catch((): string[] => [])
    for (const name of names.toSorted()) {
      const id = name.replace(/\.\w+$/, '')
      const isWhole = names.includes(`${id}.eml`) && names.includes(`${id}.to`)
      if (!isWhole || name.endsWith('.part')) {
        if (!this.#known.has(id)) await rm(join(this.#directory, name), { force: true })
      } else if (name.endsWith('.eml')) {
        const address = await readFile(join(this.#directory, `${id}.to`), 'utf8')
        const { size } = await stat(join(this.#directory, name))
        left.push({ id, bytes: size, address, sharer: this.#sharerOf(address), pauseMs: firstPauseMs })
      }
    }
    return left
  }

  #enqueue(waiting: Waiting): void {
    this.#queue.push(waiting)
    this.#deliverNext()
  }

  #deliverNext(): void {
    while (this.#isStarted) {
      const at = this.#queue.findIndex(({ sharer }) => !this.#places.shortage([sharer], 1))
      if (at === -1) return
      const [next] = this.#queue.splice(at, 1) as [Waiting]
      this.#places.takeAnyway([next.sharer], 1)
      const running = this.#deliver(next).catch((error) =>
        log('a message in the spool was not delivered', errorFields(error), 'error'),
      )
      this.#running.add(running)
      void running.finally(() => {
        this.#running.delete(running)
        this.#places.release([next.sharer], 1)
        this.#deliverNext()
      })
    }
  }

  /** The company of an address, by which the places are shared; of one that does not exist, the address. */
  #sharerOf(address: string): string {
    return lookupMailAddress(this.#options.store.access, address)?.companyId ?? address
  }

  async #deliver(waiting: Waiting): Promise<void> {
    const { id, bytes, address, pauseMs } = waiting
    const file = join(this.#directory, `${id}.eml`)
    const isGiven = await this.#give(file, address, this.#ending.signal).catch((error) => {
      if (this.#isStarted) log('a message in the spool could not be given to the server that leads', errorFields(error))
      return false
    })
    if (!isGiven) {
      if (!this.#isStarted) return // the next start finds it
      const timer = setTimeout(() => {
        this.#timers.delete(timer)
        this.#enqueue({ ...waiting, pauseMs: Math.min(2 * pauseMs, lastPauseMs) })
      }, pauseMs)
      this.#timers.add(timer.unref())
      return
    }
    for (const name of namesOf(id)) await rm(join(this.#directory, name), { force: true })
    this.#known.delete(id)
    this.#room.release([address], 1)
    this.#bytes -= bytes
  }

  async #deliverHere(file: string, address: string): Promise<boolean> {
    const [delivered] = await deliver(this.#options, { door: 'http', addresses: [address], file })
    return delivered?.outcome !== 'later'
  }
}

function overfull(): ApiError {
  const headers = { 'Retry-After': '60' }
  return new ApiError('SERVICE_UNAVAILABLE', 'Too many messages wait to be delivered: try again later', { headers })
}
