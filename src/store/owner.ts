import { chmodSync, closeSync, lchownSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Gives a file that root has made to the owner of its directory, or of `like`: a service that runs as that user has to open it. Does
 * nothing for other users, who own what they make. By name, since closing a file ends this process's locks on it.
 */
export function giveToOwner(path: string, like: string = dirname(path)): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(like)
  try {
    lchownSync(path, uid, gid)
  } catch (error) {
    // A root without this right, as in some containers; SQLite goes on then, too.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}

/** The same, with the permissions of the file `like`. */
export function makeLike(path: string, like: string): void {
  giveToOwner(path, like)
  chmodSync(path, statSync(like).mode & 0o777)
}

/** Makes an empty file for its directory's owner. Answers whether it did; SQLite, which opens it next, says why not. */
export function makeFile(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600))
    giveToOwner(path)
    return true
  } catch {
    return false
  }
}
