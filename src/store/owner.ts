import { chmodSync, closeSync, lchownSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Gives a file that root has created to the owner of its directory, or of `like`, so that a service that runs as that user can
 * open it. Does nothing for other users. Works by name, because closing a file would end this process's locks on it.
 */
export function giveToOwner(path: string, like: string = dirname(path)): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(like)
  try {
    lchownSync(path, uid, gid)
  } catch (error) {
    // In some containers root may not do this. SQLite ignores that as well.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}

/** Gives a file the owner and the permissions of the file `like`. */
export function copyOwnership(path: string, like: string): void {
  giveToOwner(path, like)
  chmodSync(path, statSync(like).mode & 0o777)
}

/** Creates an empty file for its directory's owner. Returns false if it cannot; SQLite, which opens it next, reports why. */
export function createFile(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600))
    giveToOwner(path)
    return true
  } catch {
    return false
  }
}
