/** Shared with the threads that read: the position that new snapshots are about to have, and the one that they have. */
export type PositionCells = BigInt64Array<SharedArrayBuffer>

export const [begun, done] = [0, 1]

/** The position in the log of several servers that new snapshots of this database have (docs/decisions/cluster.md). */
export class LogPosition {
  readonly cells: PositionCells = new BigInt64Array(new SharedArrayBuffer(16))

  constructor(position = 0) {
    this.move(position)
  }

  get now(): number {
    return Number(Atomics.load(this.cells, done))
  }

  /** Runs `change`, after which new snapshots have this position. If it throws, they have the position before. */
  move(position: number, change: () => void = () => {}): void {
    const before = Atomics.load(this.cells, done)
    Atomics.store(this.cells, begun, BigInt(position))
    try {
      change()
    } catch (error) {
      Atomics.store(this.cells, begun, before)
      throw error
    }
    Atomics.store(this.cells, done, BigInt(position))
    Atomics.notify(this.cells, done)
  }
}

/**
 * The position of what a response shows: of what was read or written last. If it has parts and only reads, the earliest of theirs, since none
 * shows less than that.
 */
export class Shown {
  /** Of the snapshot when the request began; undefined: it is not known yet. */
  readonly #begun: number | undefined
  #read: number | undefined
  readonly #parts: Shown[] = []
  readonly #writes: boolean

  constructor(begun: number | undefined, writes = false) {
    this.#begun = begun
    this.#writes = writes
  }

  get position(): number | undefined {
    const positions = [this.#read, ...this.#parts.map(({ position }) => position)]
    const known = positions.filter((each) => each !== undefined)
    return known.length === 0 ? this.#begun : Math.min(...known)
  }

  note(position: number | undefined): void {
    if (position !== undefined) this.#read = position
  }

  /** Of a request within this one. */
  part(): Shown {
    if (this.#writes) return this
    const part = new Shown(this.#begun)
    this.#parts.push(part)
    return part
  }
}
