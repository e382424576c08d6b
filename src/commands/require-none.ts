import { lstatSync } from 'node:fs'
import { OperatorError } from '../errors.ts'

/** Throws OperatorError if there is a file, or a link, also if it leads to none. */
export function requireNone(path: string): void {
  if (isThere(path)) throw new OperatorError(`${path} already exists: choose another name.`)
}

/** False also if that cannot be found out: to write it then fails, too, and says why. */
function isThere(path: string): boolean {
  try {
    lstatSync(path)
    return true
  } catch {
    return false
  }
}
