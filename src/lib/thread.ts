import type { Worker } from 'node:worker_threads'

interface Listeners<Report> {
  onReport(report: Report): void
  /** The thread has failed. It exits next. */
  onError(error: unknown): void
  onExit(): void
}

/** A thread from its start to its exit: it is sent orders, and sends reports. */
export class Thread<Order, Report> {
  readonly #worker: Worker
  /** Resolves at the first report, or at the exit. */
  readonly #begun: Promise<unknown>
  #hasExited = false

  constructor(worker: Worker, { onReport, onError, onExit }: Listeners<Report>) {
    this.#worker = worker
    this.#begun = new Promise((resolve) => worker.once('message', resolve).once('exit', resolve))
    worker.on('message', onReport)
    worker.on('error', onError)
    worker.on('exit', () => {
      this.#hasExited = true
      onExit()
    })
  }

  /** A thread that has exited is sent nothing. */
  post(order: Order): void {
    if (!this.#hasExited) this.#worker.postMessage(order)
  }

  /** Sends the order to end. Resolves when the thread has exited. */
  async end(order: Order): Promise<void> {
    if (this.#hasExited) return
    const exited = new Promise((resolve) => this.#worker.once('exit', resolve))
    this.post(order)
    await exited
  }

  /** How long the thread has computed, in milliseconds; undefined if this version of Node cannot tell. */
  async cpuMs(): Promise<number | undefined> {
    const used = await this.#worker.cpuUsage?.().catch(() => undefined)
    return used && (used.user + used.system) / 1_000
  }

  /** Ends the thread, but not before its first report: a thread that is ended while it loads SQLite aborts the process. Resolves at its exit. */
  async terminate(): Promise<void> {
    await this.#begun
    await this.#worker.terminate()
  }
}
