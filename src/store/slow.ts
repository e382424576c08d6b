import { log } from '../lib/log.ts'

export interface SlowStatement {
  ms: number
  /** Without the values that were bound. */
  sql: string
  /** As SQLite explains it, a line a step. */
  plan: string[]
  /** The request that it ran for. */
  cause: string | undefined
}

export interface SlowStatements {
  /** From here on a statement is slow. */
  ms: number
  report(statement: SlowStatement): void
}

/** Logs statements that take `ms` or longer. */
export function logSlow(ms: number): SlowStatements {
  return { ms, report: ({ cause, ...statement }) => log('slow statement', { id: cause, ...statement }, 'warn') }
}
