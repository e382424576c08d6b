import { ApiError } from '../errors.ts'
import type { Image } from './image.ts'

const snapshotsMax = 20
/** Of the snapshots of all worlds. */
const bytesMax = 64 * 2 ** 20

/** The memory that the snapshots of all worlds share. */
interface Space {
  bytes: number
}

/** The images that a world has saved, by name (decision I3). */
export class Snapshots {
  readonly #images = new Map<string, Image>()
  readonly #space: Space
  #isClosed = false

  constructor(space: Space) {
    this.#space = space
  }

  /** Throws CONFLICT if there is no room, NOT_FOUND if the world was deleted. */
  put(name: string, image: Image): void {
    if (this.#isClosed) throw new ApiError('NOT_FOUND', 'Fork not found')
    const replaced = sizeOf(this.#images.get(name))
    if (replaced === 0 && this.#images.size >= snapshotsMax) {
      throw new ApiError('CONFLICT', `There are ${snapshotsMax} snapshots: delete one first`)
    }
    const bytes = this.#space.bytes - replaced + sizeOf(image)
    if (bytes > bytesMax) {
      throw new ApiError('CONFLICT', `Snapshots would take more than ${bytesMax / 2 ** 20} MiB: delete one first`)
    }
    this.#space.bytes = bytes
    this.#images.set(name, image)
  }

  has(name: string): boolean {
    return this.#images.has(name)
  }

  /** Throws NOT_FOUND. */
  find(name: string): Image {
    const image = this.#images.get(name)
    if (!image) throw new ApiError('NOT_FOUND', 'Snapshot not found')
    return image
  }

  /** Throws NOT_FOUND. */
  remove(name: string): void {
    this.#space.bytes -= sizeOf(this.find(name))
    this.#images.delete(name)
  }

  entries(): [name: string, image: Image][] {
    return [...this.#images].sort(([a], [b]) => (a < b ? -1 : 1))
  }

  /** Frees its memory. */
  close(): void {
    this.#isClosed = true
    for (const name of this.#images.keys()) this.remove(name)
  }
}

/** The database, the files, and what inbox and journal may hold. */
export function sizeOf(image: Image | undefined): number {
  if (!image) return 0
  const captured = image.inbox.reduce((sum, { text }) => sum + 2 * text.length, 0)
  const noted = image.journal.reduce((sum, { bytes }) => sum + bytes, 0)
  const files = [...(image.contents?.values() ?? [])].reduce((sum, { length }) => sum + length, 0)
  return image.bytes.length + files + captured + noted
}
