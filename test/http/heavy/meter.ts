import type { Connection } from '../../../src/store/open.ts'
import { turn as nextTurn } from '../../support/wait.ts'

/** What was handled between two turns of the event loop. */
export interface Handled {
  statements: number
  rows: number
  /** In characters of texts. */
  bytes: number
}

export interface Meter {
  /** Forgets what was measured. */
  reset(): void
  /** The most that was handled in one turn, of each kind. */
  readonly most: Readonly<Handled>
}

const nothing = (): Handled => ({ statements: 0, rows: 0, bytes: 0 })

/** Measures what a connection handles in each turn of the event loop. */
export function meter(db: Connection): Meter {
  let turn: Handled | undefined
  let most = nothing()
  const current = () => {
    if (!turn) {
      turn = nothing()
      void nextTurn().then(() => {
        turn = undefined
      })
    }
    return turn
  }
  const count = (statements: number, rows: number, bytes: number) => {
    const now = current()
    now.statements += statements
    now.rows += rows
    now.bytes += bytes
    for (const name of ['statements', 'rows', 'bytes'] as const) most[name] = Math.max(most[name], now[name])
  }
  const prepare = db.prepare.bind(db)
  db.prepare = ((sql: string) => metered(prepare(sql), count)) as typeof db.prepare
  return {
    reset() {
      most = nothing()
    },
    get most() {
      return most
    },
  }
}

type Count = (statements: number, rows: number, bytes: number) => void

/** What is used of a statement. */
interface Running {
  get(...params: unknown[]): unknown
  all(...params: unknown[]): unknown[]
  run(...params: unknown[]): { changes: number }
  iterate(...params: unknown[]): Iterable<unknown>
}

function metered<S>(statement: S, count: Count): S {
  const original = { ...(statement as Running) }
  const bound = statement as Running
  for (const name of ['get', 'all', 'run', 'iterate'] as const) original[name] = bound[name].bind(statement) as never
  return Object.assign(statement as object, {
    get(...params: unknown[]) {
      const row = original.get(...params)
      count(1, row === undefined ? 0 : 1, lengthOf(row))
      return row
    },
    all(...params: unknown[]) {
      const rows = original.all(...params)
      count(1, rows.length, lengthOf(rows))
      return rows
    },
    run(...params: unknown[]) {
      const result = original.run(...params)
      count(1, result.changes, lengthOf(params))
      return result
    },
    *iterate(...params: unknown[]) {
      count(1, 0, 0)
      for (const row of original.iterate(...params)) {
        count(0, 1, lengthOf(row))
        yield row
      }
    },
  }) as S
}

/** The length of the texts of a row or a value. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (value instanceof Uint8Array) return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, each) => sum + lengthOf(each), 0)
}
