import { lstatSync } from 'node:fs'
import { OperatorError } from '../errors.ts'

/** Throws OperatorError if there is a file, or a link, also if it leads to none. */
export function requireNone(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }))
    throw new OperatorError(`${path} already exists: choose another name.`)
}
