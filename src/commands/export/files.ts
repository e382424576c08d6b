import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { OperatorError } from '../../errors.ts'
import { writeAll } from '../../lib/write-all.ts'
import { unfinishedSuffix } from '../../store/copy.ts'
import { giveName } from '../../store/give-name.ts'
import { claim } from '../../store/lock.ts'

export interface Written {
  file: string
  bytes: number
}

/** Writes a file. It has its name only when it is complete and on disk. Returns its size in bytes. Throws OperatorError. */
export function writeFile(path: string, parts: Iterable<string>): number {
  const unfinished = `${path}${unfinishedSuffix}`
  const release = claim(unfinished)
  try {
    rmSync(unfinished, { force: true }) // of an export that was interrupted; it might be a link
    const fd = openSync(unfinished, 'wx')
    let bytes = 0
    try {
      for (const part of parts) bytes += writeAll(fd, part)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    giveName(unfinished, path)
    return bytes
  } catch (error) {
    rmSync(unfinished, { force: true })
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`Cannot write ${path}: ${(error as Error).message}.`, { cause: error })
  } finally {
    release()
  }
}
