import { ApiError } from '../errors.ts'

/**
 * Why a company is not served here, although it is in the database: it is being exported to another cell, or imported from one, or served
 * `to` where it has moved (decision A14). `by` names the import, or the only export that has begun.
 */
export type Move =
  | { state: 'leaving'; by?: string }
  | { state: 'arriving'; by: string }
  | { state: 'moved'; to: string }

/** A condition: the company with this id, an expression, is served here. */
export function isHereSql(companyId: string): string {
  return `NOT EXISTS (SELECT 1 FROM setting AS move WHERE move.name = 'move ' || ${companyId})`
}

/** Finds the move of the company that owns `:workspace`. */
export const moveOfWorkspaceSql = `SELECT value FROM workspace JOIN setting ON name = 'move ' || company_id
  WHERE workspace.id = :workspace`

const retryAfterSeconds = '5'

export function readMove(stored: string | undefined): Move | undefined {
  return stored === undefined ? undefined : JSON.parse(stored)
}

/** Throws COMPANY_MOVED, SERVICE_UNAVAILABLE if the company is not served here. */
export function refuseMoved(move: Move | undefined): void {
  if (move?.state === 'moved') {
    throw new ApiError('COMPANY_MOVED', `This company has moved to ${move.to}`, {
      headers: { 'Kontor-Moved-To': move.to },
    })
  }
  if (move) {
    throw new ApiError('SERVICE_UNAVAILABLE', 'This company is being moved: try again in a few seconds', {
      headers: { 'Retry-After': retryAfterSeconds },
    })
  }
}
