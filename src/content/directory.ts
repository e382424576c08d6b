import { createReadStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Contents, type Found, nameOf, type Place, type Received } from './contents.ts'
import { attempt, makeDirectories, namesIn, syncDirectory, unlessMissing } from './disk.ts'
import { FaultCounts } from './faults.ts'
import { Removals } from './removals.ts'
import { Unfinished } from './unfinished.ts'

const digest = /^[0-9a-f]{64}$/
const workspaceName = /^[1-9]\d{0,15}$/

/** Content in a directory: `<workspace>/<first two digits>/<sha256>` (decision O3). */
export class DirectoryContents implements Contents {
  readonly faults = new FaultCounts()
  readonly removals = new Removals()
  readonly #root: string
  readonly #unfinished: Unfinished

  constructor(root: string) {
    this.#root = root
    this.#unfinished = new Unfinished(root, { isSynced: true })
  }

  async receive(source: AsyncIterable<Buffer>, bytesMax: number): Promise<Received> {
    const { path, sha256, bytes } = await this.#unfinished.take(source, bytesMax)
    const keep = (workspaceId: number) => this.#keep(path, { workspaceId, sha256 })
    const putAt = (to: string) => this.#unfinished.putAt(path, to)
    return { sha256, bytes, keep, putAt, discard: () => this.#unfinished.discard(path) }
  }

  async lookupBytes(place: Place): Promise<number | undefined> {
    return attempt('The content cannot be read', this.#root, () => sizeOf(this.#pathOf(place)))
  }

  /** The file is opened when its first part is asked for: the error of a stream that nobody reads yet would end the process. */
  async *read(place: Place, begin: number, end: number): AsyncIterable<Buffer> {
    if (begin === end) return
    yield* createReadStream(this.#pathOf(place), { start: begin, end: end - 1, highWaterMark: partBytes })
  }

  async remove(place: Place): Promise<void> {
    const path = this.#pathOf(place)
    await attempt('The content was not removed', this.#root, async () => {
      await rm(path, { force: true })
      await syncDirectory(dirname(path)).catch(unlessMissing)
    })
  }

  async *list(): AsyncIterable<Found> {
    for (const workspace of await namesIn(this.#root, workspaceName)) {
      for (const first of await namesIn(join(this.#root, workspace), /^[0-9a-f]{2}$/)) {
        for (const sha256 of await namesIn(join(this.#root, workspace, first), digest)) {
          const stats = await stat(join(this.#root, workspace, first, sha256)).catch(unlessMissing)
          if (stats) yield { workspaceId: Number(workspace), sha256, bytes: stats.size, storedMs: stats.mtimeMs }
        }
      }
    }
  }

  removeUnfinished(beforeMs: number): Promise<number> {
    return this.#unfinished.removeBefore(beforeMs)
  }

  #pathOf(place: Place): string {
    return join(this.#root, nameOf(place))
  }

  /** Replaces equal content, so that it is whole and on disk whatever was there before. */
  async #keep(from: string, place: Place): Promise<void> {
    const path = this.#pathOf(place)
    await attempt('The file was not stored', this.#root, async () => {
      const made = await makeDirectories(dirname(path))
      await rename(from, path)
      await syncDirectory(dirname(path))
      for (const each of made.reverse()) await syncDirectory(dirname(each))
    })
  }
}

const partBytes = 65_536

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(unlessMissing))?.size
}
