import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a directory that only its user can read, and its parents. An existing directory is not changed. Does not use the `recursive`
 * option of `mkdir`, which in Node loops forever if the file system rejects a name, as /proc does.
 */
export function makePrivateDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  const parent = dirname(path)
  if (parent !== path) makePrivateDirectory(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
