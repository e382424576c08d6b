import { type Move, readMove, refuseMoved } from './move-state.ts'
import type { Reader, Writer } from './reader.ts'

export function lookupMove(access: Reader, companyId: string): Move | undefined {
  return readMove(access.value<string>('SELECT value FROM setting WHERE name = ?', nameOf(companyId)))
}

/** `undefined` serves the company again. */
export function storeMove(access: Writer, companyId: string, move: Move | undefined): void {
  access.run('DELETE FROM setting WHERE name = ?', nameOf(companyId))
  if (move) access.run('INSERT INTO setting VALUES (?, ?)', nameOf(companyId), JSON.stringify(move))
}

/** Throws COMPANY_MOVED, SERVICE_UNAVAILABLE. */
export function requireHere(access: Reader, companyId: string): void {
  refuseMoved(lookupMove(access, companyId))
}

function nameOf(companyId: string): string {
  return `move ${companyId}`
}
