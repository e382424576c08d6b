import { secondMs } from '../lib/clock.ts'
import { unavailable } from '../store/constraint.ts'
import { openConnection } from '../store/open.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { DatabaseFile } from './database-file.ts'
import { sendBase } from './database-stream.ts'
import type { Shipper } from './shipper.ts'
import { logSaltsOf } from './wal-reader.ts'

/** How long, in milliseconds, a node that has copied the database may take to read what was written meanwhile. */
const joinMsMax = 15 * secondMs

/** Sends the leader's database to nodes that join, one at a time. */
export class BaseSender {
  readonly #file: DatabaseFile
  readonly #checkpoints: Checkpoints
  readonly #countFrames: () => number
  #isSending = false

  constructor(file: DatabaseFile, checkpoints: Checkpoints, countFrames: () => number) {
    this.#file = file
    this.#checkpoints = checkpoints
    this.#countFrames = countFrames
  }

  /** Returns the parts. Their end, or the end of their reader, frees what they need. Throws 503 SERVICE_UNAVAILABLE. */
  async open(shipper: Shipper): Promise<AsyncIterable<Buffer>> {
    if (this.#isSending) throw unavailable('Another server copies the database at present')
    const reader = openConnection(this.#file.path, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
    this.#isSending = true
    const measure = (name: string) => reader.pragma(name, { simple: true }) as number
    const end = () => {
      this.#isSending = false
      reader.close()
      shipper.trimmer.release(joinMsMax)
    }
    try {
      const { salts, ...head } = await this.#checkpoints.whileShipped(() => {
        reader.exec('BEGIN; SELECT 1 FROM sqlite_schema')
        const { log, position } = shipper.head
        shipper.trimmer.keepFrom(position)
        const [pages, pageSize] = [measure('page_count'), measure('page_size')]
        return { log, position, pages, pageSize, frames: this.#countFrames(), salts: logSaltsOf(this.#file.path) }
      })
      return endingWith(sendBase(this.#file, head, salts), end)
    } catch (error) {
      end()
      throw error
    }
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
