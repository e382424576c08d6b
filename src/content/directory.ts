import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bodyTooLarge } from '../errors.ts'
import { codeOf, unavailable } from '../store/constraint.ts'
import type { Contents, Found, Place, Received } from './contents.ts'

/** Content that has not arrived completely is here, beside the directories of the workspaces. */
const unfinishedName = 'unfinished'
const digest = /^[0-9a-f]{64}$/
const workspaceName = /^[1-9]\d{0,15}$/

/** Content in a directory: `<workspace>/<first two digits>/<sha256>` (decision O3). */
export class DirectoryContents implements Contents {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  async receive(source: AsyncIterable<Buffer>, bytesMax: number): Promise<Received> {
    const path = join(this.#root, unfinishedName, randomUUID())
    try {
      const written = await attempt('The file was not stored', path, () => this.#write(path, source, bytesMax))
      const keep = (workspaceId: number) => this.#keep(path, { workspaceId, sha256: written.sha256 })
      return { ...written, keep, discard: () => discard(path) }
    } catch (error) {
      await discard(path)
      throw error
    }
  }

  async lookupBytes(place: Place): Promise<number | undefined> {
    return attempt('The content cannot be read', this.#root, () => sizeOf(this.#pathOf(place)))
  }

  read(place: Place, begin: number, end: number): AsyncIterable<Buffer> {
    if (begin === end) return nothing()
    return createReadStream(this.#pathOf(place), { start: begin, end: end - 1, highWaterMark: partBytes })
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

  async removeUnfinished(beforeMs: number): Promise<number> {
    const directory = join(this.#root, unfinishedName)
    let removed = 0
    for (const name of await namesIn(directory, /^[0-9a-f-]{36}$/)) {
      const stats = await stat(join(directory, name)).catch(unlessMissing)
      if (!stats || stats.mtimeMs >= beforeMs) continue
      await rm(join(directory, name), { force: true })
      removed++
    }
    return removed
  }

  #pathOf({ workspaceId, sha256 }: Place): string {
    if (!digest.test(sha256)) throw new Error('content is named by a SHA-256')
    return join(this.#root, String(workspaceId), sha256.slice(0, 2), sha256)
  }

  async #write(path: string, source: AsyncIterable<Buffer>, bytesMax: number) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(path, 'wx', 0o600)
    try {
      const hash = createHash('sha256')
      let bytes = 0
      for await (const part of source) {
        bytes += part.length
        if (bytes > bytesMax) throw bodyTooLarge(bytesMax)
        hash.update(part)
        await writeAll(file, part)
      }
      await file.sync()
      return { sha256: hash.digest('hex'), bytes }
    } finally {
      await file.close()
    }
  }

  /** Replaces equal content, so that it is whole and on disk whatever was there before. */
  async #keep(from: string, place: Place): Promise<void> {
    const path = this.#pathOf(place)
    await attempt('The file was not stored', this.#root, async () => {
      const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await rename(from, path)
      await syncDirectory(dirname(path))
      if (made === undefined) return
      for (let each = dirname(path); each !== dirname(made); each = dirname(each)) await syncDirectory(dirname(each))
    })
  }
}

const partBytes = 65_536

/** The system may write less than it is asked to. */
async function writeAll(file: FileHandle, part: Buffer): Promise<void> {
  for (let at = 0; at < part.length; ) at += (await file.write(part, at)).bytesWritten
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(unlessMissing))?.size
}

/** The names in a directory that have this form; none if it is missing. */
async function namesIn(directory: string, form: RegExp): Promise<string[]> {
  return ((await readdir(directory).catch(unlessMissing)) ?? []).filter((name) => form.test(name)).sort()
}

function unlessMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

async function discard(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => {}) // the sweep removes it
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/** Turns an error of the system into a 503 that says what is wrong with the disk. */
async function attempt<T>(failure: string, path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? unavailable(failure, error, path) : error
  }
}

async function* nothing(): AsyncIterable<Buffer> {}
