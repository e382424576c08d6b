import { ApiError, OperatorError } from '../errors.ts'

/**
 * Why a company is not served here, although it is in the database: it is being exported to another cell, or imported from one, or served
 * `to` where it has moved, or being removed (decision A14). `by` names the import, the removal, or the export since which it is refused;
 * `again`: another export has begun since; `done`: one has written its file.
 */
export type Move =
  | { state: 'leaving'; by?: string; again?: true; done?: true }
  | { state: 'arriving'; by: string }
  | { state: 'moved'; to: string }
  | { state: 'removing'; by: string; to?: string }

/** A condition: the company with this id, an expression, is served here. */
export function isHereSql(companyId: string): string {
  return `NOT EXISTS (SELECT 1 FROM setting AS move WHERE move.name = 'move ' || ${companyId})`
}

/** Finds the move of the company that owns `:workspace`. */
export const moveOfWorkspaceSql = `SELECT value FROM workspace JOIN setting ON name = 'move ' || company_id
  WHERE workspace.id = :workspace`

/** Selects the companies of which only a part is in the database. */
export const partialCompaniesSql = `SELECT substr(name, 6) FROM setting
  WHERE name GLOB 'move *' AND value ->> 'state' IN ('arriving', 'removing')`

export function isPartial(move: Move | undefined): boolean {
  return move?.state === 'arriving' || move?.state === 'removing'
}

/** Throws OperatorError if only a part of the company is in the database. */
export function requireWhole(move: Move | undefined): void {
  if (move?.state === 'arriving') {
    const remedy = 'repeat "kontor company import", or remove what it has written with "kontor company delete"'
    throw new OperatorError(`The import of this company has not ended: ${remedy}.`)
  }
  if (move?.state === 'removing') {
    throw new OperatorError('The removal of this company has not ended: repeat "kontor company delete".')
  }
}

const retryAfterSeconds = '5'

export function readMove(stored: string | undefined): Move | undefined {
  return stored === undefined ? undefined : JSON.parse(stored)
}

/** Throws COMPANY_MOVED, SERVICE_UNAVAILABLE if the company is not served here. */
export function refuseMoved(move: Move | undefined): void {
  const to = move && 'to' in move ? move.to : undefined
  if (to !== undefined) {
    throw new ApiError('COMPANY_MOVED', `This company has moved to ${to}`, { headers: { 'Kontor-Moved-To': to } })
  }
  if (move?.state === 'removing') throw new ApiError('SERVICE_UNAVAILABLE', 'This company is not served here')
  if (move) {
    throw new ApiError('SERVICE_UNAVAILABLE', 'This company is being moved: try again in a few seconds', {
      headers: { 'Retry-After': retryAfterSeconds },
    })
  }
}
