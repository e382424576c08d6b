import { hash } from 'node:crypto'
import type { Reader } from '../store/reader.ts'

const nameLength = 32

/**
 * The name of a workspace's log, `log_id`. It is random, and another one after a restore from a backup, because numbers may then repeat
 * (decision G7).
 */
export function logIdOf(access: Reader, workspaceId: number): string {
  const origin = access.value<string>("SELECT value FROM setting WHERE name = 'log_origin'")!
  return hash('sha256', `${origin} ${workspaceId}`).slice(0, nameLength)
}

/** A position in a log: the number of the last change that a reader knows. */
export interface Position {
  logId: string
  seq: number
}

const cursorPattern = /^([\da-f]{32})-(0|[1-9]\d{0,14})$/

export function writePosition({ logId, seq }: Position): string {
  return `${logId}-${seq}`
}

/** Undefined if the text is not a cursor. */
export function readPosition(text: string): Position | undefined {
  const [, logId, seq] = cursorPattern.exec(text) ?? []
  return logId === undefined ? undefined : { logId, seq: Number(seq) }
}
