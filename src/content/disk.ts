import { type FileHandle, mkdir, open, readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf, unavailable } from '../store/constraint.ts'
import { giveToOwner } from '../store/owner.ts'

/** Runs something. Turns an error of the system into a 503 that says what is wrong with the disk. */
export async function attempt<T>(failure: string, path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? unavailable(failure, error, path) : error
  }
}

/** The names in a directory that have this form; none if it is missing. */
export async function namesIn(directory: string, form: RegExp): Promise<string[]> {
  return ((await readdir(directory).catch(unlessMissing)) ?? []).filter((name) => form.test(name)).sort()
}

export function unlessMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

/**
 * Writes all bytes, at a position of the file or after what was written last. The system may write less than it is asked to: a disk that becomes
 * full takes the first bytes, and refuses the next.
 */
export async function writeAll(file: FileHandle, part: Buffer, position?: number): Promise<void> {
  for (let done = 0; done < part.length; ) {
    const at = position === undefined ? null : position + done
    done += (await file.write(part, done, undefined, at)).bytesWritten
  }
}

/** Creates a directory that only its user can read, and its parents. Returns those that were missing, the outermost first. */
export async function makeDirectories(path: string): Promise<string[]> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return []
  const made: string[] = []
  for (let each = path; each !== dirname(first); each = dirname(each)) made.unshift(each)
  for (const each of made) giveToOwner(each)
  return made
}

/** Makes names that were added to a directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
