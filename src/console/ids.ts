import { validationError } from '../errors.ts'
import { parseUuid } from '../lib/uuid.ts'

interface Bounds {
  /** Default: 0. */
  min?: number
  max: number
}

/** The UUIDs of the parameter `ids`, which are separated by commas. Throws VALIDATION_ERROR. */
export function readIds(query: string, { min = 0, max }: Bounds): string[] {
  const given = new URLSearchParams(query).get('ids')?.split(',') ?? []
  const ids = given.map(parseUuid).filter((id) => id !== undefined)
  if (ids.length === given.length && ids.length >= min && ids.length <= max) return ids
  const message = `ids must be ${min > 0 ? `${min} to` : 'up to'} ${max} UUIDs, separated by commas`
  throw validationError([{ field: 'ids', message, code: 'INVALID_VALUE' }])
}
