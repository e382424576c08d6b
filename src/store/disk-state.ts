import { errorFields, log } from '../lib/log.ts'
import { type DiskFault, diskFaultOf, lacksSpace } from './constraint.ts'
import type { Writer } from './reader.ts'

const probeMs = 1_000

/** Where a store reports the errors of its writes. */
export interface DiskWatch {
  note(error: unknown): void
}

/** Whether the disk accepts writes. While it does not, a write is tried each second, so that the end of the failure is noticed without requests. */
export class DiskState implements DiskWatch {
  readonly #path: string
  readonly #probe: () => Promise<void>
  #fault: DiskFault | undefined
  #sinceMs = 0
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  /** Of the disk with the file at `path`. `probe` writes to it, and reports its error to `note`. */
  constructor(path: string, probe: () => Promise<void>) {
    this.#path = path
    this.#probe = probe
  }

  /** Why the disk refused the latest write; undefined if it did not. */
  get fault(): DiskFault | undefined {
    return this.#fault
  }

  /** For how long the disk has refused writes, in milliseconds; 0 if it did not refuse the latest one. */
  get faultMs(): number {
    return this.#fault ? performance.now() - this.#sinceMs : 0
  }

  /** Takes notice of the error of a write. Errors that the disk did not cause mean nothing. */
  note(error: unknown): void {
    const fault = diskFaultOf(error, this.#path)
    if (fault) this.raise(fault, errorFields(error))
  }

  /** The same for a write of another thread. */
  raise(fault: DiskFault, fields: Record<string, unknown> = {}): void {
    if (this.#isClosed) return
    if (fault !== this.#fault) log('the disk does not accept writes', { fault, ...fields }, 'error')
    if (!this.#fault) this.#sinceMs = performance.now()
    this.#fault = fault
    this.#timer ??= setTimeout(() => void this.#tryAgain(), probeMs).unref()
  }

  /** The disk has accepted a write. */
  clear(): void {
    if (this.#fault) log('the disk accepts writes again', { fault: this.#fault })
    this.#fault = undefined
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  async #tryAgain(): Promise<void> {
    const isWritten = await this.#probe().then(
      () => true,
      () => false,
    )
    this.#timer = undefined
    if (isWritten) this.clear()
    else if (this.#fault) this.raise(this.#fault)
  }
}

/** Logs why work failed that is tried again and again, unless the disk is full: `DiskState` logs that, once. */
export function logUnlessFull(msg: string, error: unknown, fields: Record<string, unknown> = {}): void {
  if (!lacksSpace(error)) log(msg, { ...fields, ...errorFields(error) }, 'error')
}

/** Changes what nobody reads. SQLite writes no page that stays as it is. */
export const touchSql = `INSERT INTO setting VALUES ('touched', hex(randomblob(8)))
  ON CONFLICT DO UPDATE SET value = excluded.value`

/** Writes to the disk. */
export function touchDisk(tx: Writer): void {
  tx.run(touchSql)
}
