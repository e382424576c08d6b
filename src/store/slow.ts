import { log } from '../lib/log.ts'

export interface SlowStatement {
  ms: number
  /** The statement without its bound values. */
  sql: string
  /** SQLite's query plan, one line per step. */
  plan: string[]
  /** The id of the request that ran it. */
  cause: string | undefined
}

export interface SlowStatements {
  /** A statement that takes at least this long is slow. */
  ms: number
  report(statement: SlowStatement): void
}

/** Logs statements that take at least `ms`. */
export function logSlow(ms: number): SlowStatements {
  return { ms, report: ({ cause, ...statement }) => log('slow statement', { id: cause, ...statement }, 'warn') }
}
