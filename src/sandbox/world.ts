import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../errors.ts'
import type { Image } from './image.ts'
import { Instance, type Setting } from './instance.ts'
import type { Snapshots } from './snapshots.ts'
import type { StartImages } from './start-images.ts'

/** What a world was made with. */
interface WorldSetting extends Omit<Setting, 'routes' | 'resets'> {
  id: string
  /** Makes the endpoints that control it. */
  routesOf: (world: World) => Setting['routes']
  snapshots: Snapshots
  images: StartImages
  /** How long it is kept without a request, in milliseconds. */
  idleMsMax: number
}

/** A company with its data, clock, faults, inbox and journal, behind a key of its own (design of the sandbox: docs/decisions/sandbox.md). */
export class World {
  readonly id: string
  readonly key: string
  readonly snapshots: Snapshots
  #start: Image
  readonly images: StartImages
  readonly #setting: Setting
  readonly #idleMsMax: number
  #instance: Instance
  #resets = 0
  #usedAt = performance.now()
  #isClosed = false
  /** The keys of the world that it is a copy of. They lead there. */
  readonly #copied: ReadonlySet<string>

  constructor(start: Image, { id, routesOf, snapshots, images, idleMsMax, ...setting }: WorldSetting) {
    this.id = id
    this.key = setting.key
    this.snapshots = snapshots
    this.#start = start
    this.images = images
    this.#idleMsMax = idleMsMax
    this.#setting = { ...setting, routes: routesOf(this), resets: 0 }
    this.#instance = new Instance(start, this.#setting)
    this.#copied = new Set(this.#instance.otherKeys)
  }

  /** What it was at its start. */
  get start(): Image {
    return this.#start
  }

  /** Makes its start of what it is now. */
  async begin(): Promise<void> {
    this.#start = await this.#instance.save()
  }

  /** Its database and application until the next reset. */
  get instance(): Instance {
    return this.#instance
  }

  get isUnused(): boolean {
    return !this.#instance.isActive && performance.now() - this.#usedAt > this.#idleMsMax
  }

  handle(req: IncomingMessage, res: ServerResponse): void {
    this.#usedAt = performance.now()
    this.#instance.handle(req, res)
  }

  /** Whether a key, given by its hash, belongs to this world. */
  owns(keyHash: string): boolean {
    const id = this.#instance.lookupKey(keyHash)
    return id !== undefined && !this.#copied.has(id)
  }

  /** Goes back to an image. Requests in progress end in the world as it was. Throws NOT_FOUND if the world was deleted. */
  reset(image: Image): void {
    if (this.#isClosed) throw new ApiError('NOT_FOUND', 'Fork not found')
    const former = this.#instance
    const random = { ...image.random, seed: this.#start.random.seed } // of an image that is not its own
    this.#instance = new Instance({ ...image, random }, { ...this.#setting, resets: ++this.#resets })
    void former.retire()
  }

  endWaiting(): void {
    this.#instance.endWaiting()
  }

  /** Resolves when its requests have ended and its database is closed. */
  close(): Promise<void> {
    this.#isClosed = true
    this.snapshots.close()
    return this.#instance.retire()
  }
}
