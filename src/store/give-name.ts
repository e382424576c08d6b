import { closeSync, linkSync, lstatSync, openSync, renameSync, rmSync } from 'node:fs'
import { OperatorError } from '../errors.ts'
import { codeOf } from './constraint.ts'

/** Throws OperatorError if there is a file, or a link, also if it leads to none. */
export function requireNone(path: string): void {
  if (isThere(path)) throw isTaken(path)
}

/** Gives a complete file its name. Throws OperatorError if another file has got that in the meantime: it is not replaced. */
export function giveName(unfinished: string, path: string): void {
  try {
    take(unfinished, path)
  } catch (error) {
    throw codeOf(error) === 'EEXIST' ? isTaken(path) : error
  }
}

function take(unfinished: string, path: string): void {
  try {
    linkSync(unfinished, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error
    closeSync(openSync(path, 'wx')) // a file system without links
    renameSync(unfinished, path)
    return
  }
  rmSync(unfinished)
}

function isTaken(path: string): OperatorError {
  return new OperatorError(`${path} already exists: choose another name.`)
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
