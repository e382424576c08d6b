import { hash } from 'node:crypto'
import type { Reader, Writer } from '../store/reader.ts'

const nameLength = 32

/**
 * The name of a workspace's log, `log_id`. It is random, and another one after a restore from a backup, because numbers may then repeat
 * (decision G7).
 */
export function logIdOf(access: Reader, workspaceId: number): string {
  const given = access.value<string>('SELECT value FROM setting WHERE name = ?', givenName(workspaceId))
  if (given !== undefined) return given
  const origin = access.value<string>("SELECT value FROM setting WHERE name = 'log_origin'")!
  return hash('sha256', `${origin} ${workspaceId}`).slice(0, nameLength)
}

/** Gives a workspace the log of another database, whose numbers go on here; `null` removes it. */
export function storeLogId(tx: Writer, workspaceId: number, logId: string | null): void {
  tx.run('DELETE FROM setting WHERE name = ?', givenName(workspaceId))
  if (logId !== null) tx.run('INSERT INTO setting VALUES (?, ?)', givenName(workspaceId), logId)
}

/** A restore removes the settings of this name (store/restore.ts). */
function givenName(workspaceId: number): string {
  return `log_id ${workspaceId}`
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
