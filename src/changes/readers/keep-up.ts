import { setTimeout as delay } from 'node:timers/promises'
import { changed } from '../../store/change-log.ts'
import { logUnlessFull } from '../../store/disk-state.ts'
import { moveOfWorkspaceSql } from '../../store/move-state.ts'
import type { Store } from '../../store/store.ts'
import { type Batch, type BatchReader, hasWork, planBatch, workspacesBehind } from './batch-reader.ts'

/** The pause in milliseconds after each transaction, for other writers. */
const pauseMs = 5
/** How many transactions of a batch are written before others have their turn. */
const turnMax = 5

/** A workspace in which a reader has something to do, and what is left of its batch: it is planned when there is none. */
interface Due {
  readonly reader: BatchReader
  readonly workspaceId: number
  writes: Batch['writes']
}

/** Lets readers deal with all changes. */
export class CatchUp {
  readonly #store: Store
  readonly #readers: readonly BatchReader[]
  /** By reader and workspace: the number of the last change, if there was nothing to do up to it. */
  readonly #passed: ReadonlyMap<BatchReader, Map<number, number>>

  constructor(store: Store, readers: readonly BatchReader[]) {
    this.#store = store
    this.#readers = readers
    this.#passed = new Map(readers.map((reader) => [reader, new Map()]))
  }

  /**
   * Deals with all changes so far, a few transactions for each reader and workspace in turn, until `signal` aborts: what is left of a batch is
   * planned again by the next run. `onWritten` is called after each round. One workspace's failure does not keep the others back: it is tried
   * again after the next write.
   */
  async run(signal: AbortSignal, onWritten: () => void = () => {}): Promise<void> {
    const begun = new Map<string, Due>()
    const failed = new Set<string>()
    while (true) {
      const due = this.#readers.flatMap((reader) => this.#listDue(reader)).filter((each) => !failed.has(keyOf(each)))
      if (due.length === 0) return
      for (const each of due) {
        const key = keyOf(each)
        const turn = begun.get(key) ?? each
        if (!(await takeTurn(this.#store, turn, signal))) failed.add(key)
        await delay(pauseMs)
        if (signal.aborted) return
        if (turn.writes.length > 0) begun.set(key, turn)
        else begun.delete(key)
      }
      onWritten()
    }
  }

  /** A company that moves is looked at again when it has arrived. */
  #listDue(reader: BatchReader): Due[] {
    const passed = this.#passed.get(reader)!
    return workspacesBehind(reader, this.#store.access).flatMap(({ id, latest }) => {
      if (passed.get(id) === latest) return []
      const workspace = this.#store.workspace(id)
      if (workspace.value(moveOfWorkspaceSql) !== undefined) return []
      if (hasWork(reader, workspace, passed.get(id))) return [{ reader, workspaceId: id, writes: [] }]
      passed.set(id, latest)
      return []
    })
  }
}

function keyOf({ reader, workspaceId }: Due): string {
  return `${reader.name} ${workspaceId}`
}

interface CatchingUp {
  /** Resolves when all changes that have been announced are dealt with. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/** Lets readers deal with changes at once, on the event loop: threads cannot share a database in memory. */
export function catchUpHere(store: Store, readers: readonly BatchReader[]): CatchingUp {
  const catchUp = new CatchUp(store, readers)
  const stopping = new AbortController()
  let isDue = false
  let running: Promise<void> | undefined
  begin()
  store.listen(changed, begin)
  return {
    async idle() {
      while (running) await running
    },
    async stop() {
      stopping.abort()
      await running
    },
  }

  function begin(): void {
    isDue = true
    if (!stopping.signal.aborted) running ??= run()
  }

  async function run(): Promise<void> {
    try {
      while (isDue && !stopping.signal.aborted) {
        isDue = false
        await catchUp.run(stopping.signal)
      }
    } finally {
      running = undefined
    }
  }
}

/** Writes the next few transactions of a batch, and leaves the others in `due`. Returns false if it fails. */
async function takeTurn(store: Store, due: Due, signal: AbortSignal): Promise<boolean> {
  const { reader, workspaceId } = due
  try {
    if (due.writes.length === 0) due.writes = planBatch(reader, store.workspace(workspaceId))?.writes ?? []
    const [now, later] = [due.writes.slice(0, turnMax), due.writes.slice(turnMax)]
    due.writes = []
    for (const [at, write] of now.entries()) {
      if (at > 0) await delay(pauseMs)
      if (signal.aborted || !(await store.write(workspaceId, write))) return true
    }
    due.writes = later
    return true
  } catch (error) {
    logUnlessFull('a reader of the log failed', error, { reader: reader.name, workspace: workspaceId })
    return false
  }
}
