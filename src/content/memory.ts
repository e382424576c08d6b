import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { ApiError, bodyTooLarge } from '../errors.ts'
import { type Contents, type Found, nameOf, type Place, type Received } from './contents.ts'
import { FaultCounts } from './faults.ts'
import { Removals } from './removals.ts'

/** The content of a sandbox, by workspace and SHA-256. The buffers never change. */
export type Kept = ReadonlyMap<string, Buffer>

/** Content in memory, for a sandbox (decision O3). */
export class MemoryContents implements Contents {
  readonly faults = new FaultCounts()
  readonly removals = new Removals()
  readonly #kept: Map<string, Buffer>
  readonly #bytesMax: number

  constructor(kept: Kept = new Map(), bytesMax = sandboxBytesMax) {
    this.#kept = new Map(kept)
    this.#bytesMax = bytesMax
  }

  /** What it has now. */
  get kept(): Kept {
    return new Map(this.#kept)
  }

  async receive(source: AsyncIterable<Buffer>, bytesMax: number): Promise<Received> {
    const parts: Buffer[] = []
    const hash = createHash('sha256')
    let bytes = 0
    for await (const part of source) {
      bytes += part.length
      if (bytes > bytesMax) throw bodyTooLarge(bytesMax)
      this.#requireRoom(bytes)
      hash.update(part)
      parts.push(part)
    }
    const sha256 = hash.digest('hex')
    const keep = async (workspaceId: number) => this.put({ workspaceId, sha256 }, Buffer.concat(parts))
    const putAt = (path: string) => writeFile(path, parts, { flag: 'wx', mode: 0o600 })
    return { sha256, bytes, keep, putAt, discard: async () => {} }
  }

  /** Throws PLAN_LIMIT_EXCEEDED. */
  put(place: Place, bytes: Buffer): void {
    if (!this.#kept.has(nameOf(place))) this.#requireRoom(bytes.length)
    this.#kept.set(nameOf(place), bytes)
  }

  async lookupBytes(place: Place): Promise<number | undefined> {
    return this.#kept.get(nameOf(place))?.length
  }

  async *read(place: Place, begin: number, end: number): AsyncIterable<Buffer> {
    const bytes = this.#kept.get(nameOf(place))
    if (bytes && end > begin) yield bytes.subarray(begin, end)
  }

  async remove(place: Place): Promise<void> {
    this.#kept.delete(nameOf(place))
  }

  async *list(): AsyncIterable<Found> {
    for (const [name, { length: bytes }] of this.#kept) {
      const [workspaceId, , sha256] = name.split('/') as [string, string, string]
      yield { workspaceId: Number(workspaceId), sha256, bytes, storedMs: 0 }
    }
  }

  async removeUnfinished(): Promise<number> {
    return 0
  }

  #requireRoom(bytes: number): void {
    const used = [...this.#kept.values()].reduce((sum, { length }) => sum + length, 0)
    if (used + bytes <= this.#bytesMax) return
    const message = `A sandbox keeps at most ${this.#bytesMax / 2 ** 20} MiB of files: erase some, or reset it`
    throw new ApiError('PLAN_LIMIT_EXCEEDED', message)
  }
}

const sandboxBytesMax = 64 * 2 ** 20
