import { createHash, randomUUID } from 'node:crypto'
import { copyFile, link, open, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bodyTooLarge } from '../errors.ts'
import { giveToOwner } from '../store/owner.ts'
import { attempt, makeDirectories, namesIn, unlessMissing, writeAll } from './disk.ts'

/** Content that has arrived, in a file. */
interface Arrived {
  readonly path: string
  readonly sha256: string
  readonly bytes: number
}

/** Where content is that has not arrived completely, or belongs to no workspace yet. */
export class Unfinished {
  readonly #directory: string
  readonly #isSynced: boolean

  /** In `unfinished` of the directory. `isSynced`: what has arrived is on disk. */
  constructor(directory: string, { isSynced }: { isSynced: boolean }) {
    this.#directory = join(directory, 'unfinished')
    this.#isSynced = isSynced
  }

  /** Throws INVALID_REQUEST (413) for more than `bytesMax`, SERVICE_UNAVAILABLE; nothing stays if it throws. */
  async take(source: AsyncIterable<Buffer>, bytesMax: number): Promise<Arrived> {
    const path = join(this.#directory, randomUUID())
    try {
      return await attempt('The file was not stored', path, () => this.#write(path, source, bytesMax))
    } catch (error) {
      await this.discard(path)
      throw error
    }
  }

  /** Makes another name of what has arrived, or a copy on another file system. */
  async putAt(path: string, to: string): Promise<void> {
    await attempt('The file was not stored', to, () => link(path, to).catch(() => copyFile(path, to)))
  }

  /** Has no effect if the file is not there. Never rejects. */
  async discard(path: string): Promise<void> {
    await rm(path, { force: true }).catch(() => {}) // the sweep removes it
  }

  /** Removes what was last written before this time in milliseconds. Returns how much that was. */
  async removeBefore(beforeMs: number): Promise<number> {
    let removed = 0
    for (const name of await namesIn(this.#directory, /^[0-9a-f-]{36}$/)) {
      const path = join(this.#directory, name)
      const stats = await stat(path).catch(unlessMissing)
      if (!stats || stats.mtimeMs >= beforeMs) continue
      await rm(path, { force: true })
      removed++
    }
    return removed
  }

  async #write(path: string, source: AsyncIterable<Buffer>, bytesMax: number): Promise<Arrived> {
    await makeDirectories(dirname(path))
    const file = await open(path, 'wx', 0o600)
    try {
      giveToOwner(path)
      const hash = createHash('sha256')
      let bytes = 0
      for await (const part of source) {
        bytes += part.length
        if (bytes > bytesMax) throw bodyTooLarge(bytesMax)
        hash.update(part)
        await writeAll(file, part)
      }
      if (this.#isSynced) await file.sync()
      return { path, sha256: hash.digest('hex'), bytes }
    } finally {
      await file.close()
    }
  }
}
