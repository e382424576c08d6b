import { close, closeSync, fdatasync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const fdatasyncAsync = promisify(fdatasync)
const closeAsync = promisify(close)

/** Makes commits survive a power cut without the event loop waiting for the disk. */
export interface Durability {
  /** Resolves when everything committed before the call is on the disk. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** For a database that is kept nowhere, or whose connection waits for the disk itself. */
export const noDurability: Durability = {
  async sync() {},
  async close() {},
}

/** Syncs the write-ahead log of the database at `path` in libuv's thread pool. The database must be open. */
export function walDurability(path: string): Durability {
  const fd = openSync(`${path}-wal`, 'r+')
  syncDirectory(dirname(path))
  return {
    sync: () => fdatasyncAsync(fd),
    close: () => closeAsync(fd),
  }
}

/** Makes the names of the files in a directory survive, too. */
export function syncDirectory(directory: string): void {
  const fd = openSync(directory, 'r')
  fsyncSync(fd)
  closeSync(fd)
}
