import { randomUUID } from 'node:crypto'
import { readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '../errors.ts'
import { errorFields, log } from '../lib/log.ts'
import { Thread } from '../lib/thread.ts'
import { startThread } from '../packaging/embedded.ts'
import type { MailAnswer, ReadHow } from './mail.ts'

export interface MailThreadInput {
  readonly dns: string | undefined
}

/** A message to read. The names of its temporary files begin with its id. */
export interface MailOrder extends ReadHow {
  readonly id: string
  readonly file: string
}

/** One message is parsed at a time; senders are verified beside that, because it waits for the network. */
export type MailReport =
  | { readonly id: string; readonly step: 'begun'; readonly cpuMs: number }
  | { readonly id: string; readonly step: 'parsed' }
  | { readonly id: string; readonly answer: MailAnswer; readonly bug?: string }
  | { readonly id: string; readonly failure: string }

interface Job {
  order: MailOrder
  resolve: (answer: MailAnswer) => void
  reject: (error: unknown) => void
  starts: number
}

interface Options extends MailThreadInput {
  parseMsMax: number
  idleMs: number
}

/** How many messages the thread has at once, in total and for one company. One that is parsed waits for the name server, for at most 5 s. */
const inThreadMax = 16
const inThreadPerCompanyMax = 4
/** Of the time that a message took, what its thread must have computed. Less than that, the machine is too busy, and the message comes later. */
const busyShareMin = 0.25
/** How often a message is given to a thread, if those before it ended while they had it. */
const startsMax = 3

export class MailThread {
  readonly #options: Options
  readonly #waiting: Job[] = []
  readonly #running = new Map<string, Job>()
  #thread: Thread<MailOrder, MailReport> | undefined
  #parsing: Job | undefined
  /** Because of which the thread is being ended, and whether it is to blame. */
  #slow: { job: Job; isStarved: boolean } | undefined
  #limit: NodeJS.Timeout | undefined
  #idle: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(options: Options) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting.length
  }

  read(file: string, how: ReadHow): Promise<MailAnswer> {
    if (this.#isStopped) return Promise.reject(interrupted())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ order: { id: randomUUID(), file, ...how }, resolve, reject, starts: 0 })
      this.#advance()
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const job of this.#waiting.splice(0)) job.reject(interrupted())
    await this.#thread?.terminate()
    clearTimeout(this.#idle)
  }

  #advance(): void {
    clearTimeout(this.#idle)
    for (let job = this.#takeNext(); job; job = this.#takeNext()) {
      job.starts += 1
      this.#running.set(job.order.id, job)
      try {
        this.#thread ??= this.#start()
        this.#thread.post(job.order)
      } catch (error) {
        log('the thread that reads mail could not start', errorFields(error), 'error')
        this.#end(job, () => job.reject(notAvailable(error)))
      }
    }
    if (this.#running.size === 0 && this.#thread) {
      this.#idle = setTimeout(() => void this.#thread?.terminate(), this.#options.idleMs).unref()
    }
  }

  /** The first job whose company has a place left. */
  #takeNext(): Job | undefined {
    if (this.#running.size >= inThreadMax) return undefined
    const counts = new Map<string | undefined, number>()
    for (const { order } of this.#running.values()) counts.set(order.companyId, (counts.get(order.companyId) ?? 0) + 1)
    const at = this.#waiting.findIndex(({ order }) => (counts.get(order.companyId) ?? 0) < inThreadPerCompanyMax)
    return at === -1 ? undefined : this.#waiting.splice(at, 1)[0]
  }

  #start(): Thread<MailOrder, MailReport> {
    const { dns } = this.#options
    let failure: unknown
    return new Thread<MailOrder, MailReport>(startThread('mail-thread', { dns } satisfies MailThreadInput), {
      onReport: (report) => this.#receive(report),
      onError: (error) => {
        failure = error
      },
      onExit: () => this.#ended(failure),
    })
  }

  #receive(report: MailReport): void {
    const job = this.#running.get(report.id)
    if (!job) return
    if ('step' in report) {
      clearTimeout(this.#limit)
      this.#parsing = report.step === 'begun' ? job : undefined
      if (report.step === 'begun') {
        this.#limit = setTimeout(() => void this.#endSlow(job, report.cpuMs), this.#options.parseMsMax)
      }
      return
    }
    if (this.#parsing === job) {
      clearTimeout(this.#limit)
      this.#parsing = undefined
    }
    if ('bug' in report) log('a message cannot be read', { error: report.bug }, 'error')
    this.#end(job, () => {
      if ('answer' in report) job.resolve(report.answer)
      else job.reject(notAvailable(new Error(report.failure)))
    })
    this.#advance()
  }

  /** Reports that arrived while this thread was busy are received first. `cpuMs`: what the other thread had computed at the beginning. */
  async #endSlow(job: Job, cpuMs: number): Promise<void> {
    const thread = this.#thread
    const used = (await thread?.cpuMs()) ?? Number.POSITIVE_INFINITY
    await nextTurn()
    if (this.#parsing !== job || this.#thread !== thread) return
    this.#slow = { job, isStarved: used - cpuMs < this.#options.parseMsMax * busyShareMin }
    await thread?.terminate()
  }

  /** Without `failure`, a message took too long, there was nothing to do, or the server stops. The other messages are read by the next thread. */
  #ended(failure: unknown): void {
    if (failure !== undefined) log('the thread that reads mail failed', errorFields(failure), 'error')
    this.#thread = undefined
    clearTimeout(this.#limit)
    const slow = this.#slow
    const culprit = failure === undefined ? slow?.job : this.#parsing
    this.#parsing = undefined
    this.#slow = undefined
    const rest = [...this.#running.values()].filter((job) => job !== culprit)
    this.#running.clear()
    for (const job of culprit ? [culprit, ...rest] : rest) void removeFiles(job.order)
    if (this.#isStopped) for (const job of this.#all(culprit, rest)) job.reject(interrupted())
    else {
      if (failure !== undefined) culprit?.resolve(refusalFor(failure))
      else if (slow?.isStarved) culprit?.reject(notAvailable(new Error('The thread had no time to compute')))
      else culprit?.resolve(tooSlow(this.#options.parseMsMax))
      this.#retry(rest, failure)
    }
    this.#advance()
  }

  #all(culprit: Job | undefined, rest: readonly Job[]): Job[] {
    return [...(culprit ? [culprit] : []), ...rest, ...this.#waiting.splice(0)]
  }

  #retry(jobs: readonly Job[], failure: unknown): void {
    for (const job of jobs) if (job.starts >= startsMax) job.reject(notAvailable(failure))
    const again = jobs.filter(({ starts }) => starts < startsMax)
    this.#waiting.unshift(...again.map((job) => ({ ...job, order: { ...job.order, id: randomUUID() } })))
  }

  #end(job: Job, settle: () => void): void {
    this.#running.delete(job.order.id)
    settle()
  }
}

/** Removes what a thread that ended has left of a message. */
async function removeFiles({ id, workDirectory }: MailOrder): Promise<void> {
  const names = await readdir(workDirectory).catch(() => [])
  const left = names.filter((name) => name.startsWith(id))
  await Promise.all(left.map((name) => unlink(join(workDirectory, name)).catch(() => undefined)))
}

function tooSlow(parseMsMax: number): MailAnswer {
  return { refused: `Reading the message takes longer than ${parseMsMax / 1_000} s`, code: 'TOO_SLOW' }
}

/** By the error that has ended the thread. */
function refusalFor(failure: unknown): MailAnswer {
  const isMemory = (failure as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
  const refused = isMemory ? 'Reading the message takes too much memory' : 'The message cannot be read'
  return { refused, code: 'MALFORMED' }
}

function interrupted(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', 'The server is stopping', { headers: { 'Retry-After': '30' } })
}

function notAvailable(cause: unknown): ApiError {
  const headers = { 'Retry-After': '30' }
  return new ApiError('SERVICE_UNAVAILABLE', 'Messages cannot be read right now', { headers, cause })
}
