import { begun, done, type PositionCells } from './log-position.ts'
import type { Statements } from './statements.ts'

/** How often a reader opens its snapshot again because the position has changed meanwhile, and how long it waits for the change. */
const triesMax = 200
const waitMs = 5

/** Opens the snapshot of a read on another thread than the one that moves the position. Returns its position; undefined without a log. */
export function beginSnapshot(statements: Statements, cells: PositionCells | undefined): number | undefined {
  for (let tries = 1; ; tries++) {
    const before = cells && Atomics.load(cells, done)
    statements.control('BEGIN')
    statements.dataVersion() // the first read opens the snapshot
    statements.forgetRemembered() // another connection may have written since the last one
    if (cells === undefined) return undefined
    if (Atomics.load(cells, begun) === before || tries === triesMax) return Number(before)
    statements.control('COMMIT')
    Atomics.wait(cells, done, before!, waitMs)
  }
}
