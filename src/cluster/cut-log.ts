import { closeSync, ftruncateSync, openSync, readSync } from 'node:fs'
import { frameHeader, header, saltsBytes } from '../store/log-format.ts'

/** What names the write-ahead log of the database at `path`. It changes when the log begins anew. */
export function logSaltsOf(path: string): Buffer {
  const salts = Buffer.alloc(saltsBytes)
  withLog(path, 'r', (fd) => readSync(fd, salts, 0, saltsBytes, header.saltsAt))
  return salts
}

/** Removes from the file what follows the first `frames` frames: those of logs before. The caller holds the write lock. */
export function cutLog(path: string, frames: number): void {
  withLog(path, 'r+', (fd) => {
    const size = Buffer.alloc(4)
    readSync(fd, size, 0, size.length, header.pageSizeAt)
    ftruncateSync(fd, header.bytes + frames * (frameHeader.bytes + size.readUInt32BE()))
  })
}

/** SQLite locks the file with the ending -shm, so closing this one ends none of its locks. */
function withLog(path: string, flags: 'r' | 'r+', run: (fd: number) => void): void {
  const fd = openSync(`${path}-wal`, flags)
  try {
    run(fd)
  } finally {
    closeSync(fd)
  }
}
