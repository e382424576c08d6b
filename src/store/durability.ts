import { close, closeSync, fdatasync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const fdatasyncAsync = promisify(fdatasync)
const closeAsync = promisify(close)

/** Makes commits survive a power cut without the event loop waiting for the disk. */
export interface Durability {
  /** Resolves when everything committed before the call is on the disk; calls while a sync runs share the next. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** For a database that is kept nowhere. */
export const noDurability: Durability = {
  async flush() {},
  async close() {},
}

/** Syncs the write-ahead log of the database at `path` in libuv's thread pool. The database must be open. */
export function walDurability(path: string): Durability {
  syncDirectory(dirname(path))
  const fd = openSync(`${path}-wal`, 'r+')
  let running: Promise<void> | undefined
  let waiting: Promise<void> | undefined

  async function sync(): Promise<void> {
    await running?.catch(() => {}) // its own callers are told
    await new Promise(setImmediate) // every commit of this event-loop turn shares the sync
    running = waiting
    waiting = undefined
    await fdatasyncAsync(fd).finally(() => {
      running = undefined
    })
  }

  return {
    flush() {
      waiting ??= sync()
      return waiting
    },
    async close() {
      await Promise.allSettled([running, waiting])
      await closeAsync(fd)
    },
  }
}

/** So that the log's own directory entry survives, too. */
function syncDirectory(directory: string): void {
  const fd = openSync(directory, 'r')
  fsyncSync(fd)
  closeSync(fd)
}
