import { execFileSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '../support/at-end.ts'
import { temporaryDirectory } from '../support/directory.ts'
import type { Random } from '../support/random.ts'

const files = ['kontor.db', 'kontor.db-wal']
const calls = ['write', 'sync', 'read']
const sectorBytes = 512

type FaultyFile = 'database' | 'log'

type DiskError = 'EIO' | 'ENOSPC' | 'EROFS' | 'EDQUOT'
type FaultyCall = 'write' | 'sync' | 'read'
/** After those of each call on each file, the fault of writes below `mail/`. */
const faultsCount = calls.length * files.length + 1

/** The disk under a data directory, simulated by test/faults/disk.c. */
export interface Disk {
  /** The environment of a server that runs on it. */
  env: NodeJS.ProcessEnv
  /** Makes calls on a file, and with the log's writes those of content and mail, fail from now on, or only the next `count` of them. */
  fail(call: FaultyCall, file: FaultyFile, error: DiskError, count?: number): void
  /** Makes writes below `mail/` alone fail from now on. */
  failMail(error: DiskError): void
  /** How many calls will still fail. */
  left(call: FaultyCall, file: FaultyFile): number
  /** Makes all calls succeed again. */
  heal(): void
  /** Marks the content of the directory as synced. No server may run. */
  settle(): void
  /**
   * Reverts the files to what was synced, after the server was killed. With `torn`, some sectors that were not synced are
   * kept, as with a disk that writes in its own order.
   */
  cutPower(torn?: Random): void
}

/** Compiles the library, which requires a C compiler as `cc`. Its files are stored in the directory `work`. */
export function faultyDisk(work: string, data: string): Disk {
  const [library, shadow, faults] = ['disk.so', 'shadow', 'faults'].map((name) => join(work, name)) as [
    string,
    string,
    string,
  ]
  compiled ??= compile()
  copyFileSync(compiled, library)
  mkdirSync(data, { recursive: true })
  mkdirSync(shadow)
  writeFileSync(faults, new Uint8Array(8 * faultsCount))
  return {
    env: { LD_PRELOAD: library, DISK_DIR: data, DISK_SHADOW: shadow, DISK_FAULTS: faults },
    fail(call, file, error, count = -1) {
      const words = new Int32Array([constants.errno[error], count])
      write(faults, words, 8 * (calls.indexOf(call) * files.length + (file === 'log' ? 1 : 0)))
    },
    failMail(error) {
      write(faults, new Int32Array([constants.errno[error], -1]), 8 * (faultsCount - 1))
    },
    left(call, file) {
      const words = new Int32Array(new Uint8Array(readFileSync(faults)).buffer)
      return words[2 * (calls.indexOf(call) * files.length + (file === 'log' ? 1 : 0)) + 1]!
    },
    heal: () => write(faults, new Int32Array(2 * faultsCount), 0),
    settle() {
      for (const name of files) copy(join(data, name), join(shadow, name))
    },
    cutPower(torn) {
      rmSync(join(data, 'kontor.db-shm'), { force: true })
      for (const name of files) {
        if (torn) tear(join(data, name), join(shadow, name), torn)
        copy(join(shadow, name), join(data, name))
      }
    },
  }
}

let compiled: string | undefined

/** Compiles the library once in a process. Returns its path. */
function compile(): string {
  const library = join(temporaryDirectory({ after: (end) => atEnd(end as () => unknown) }), 'disk.so')
  const source = new URL('../faults/disk.c', import.meta.url).pathname
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-D_FILE_OFFSET_BITS=64', '-o', library, source, '-ldl', '-lpthread'])
  return library
}

/** Writes into the existing file, which the library has mapped. */
function write(path: string, words: Int32Array, at: number): void {
  const fd = openSync(path, 'r+')
  writeSync(fd, words, 0, words.byteLength, at)
  closeSync(fd)
}

function copy(from: string, to: string): void {
  if (existsSync(from)) copyFileSync(from, to)
  else rmSync(to, { force: true })
}

/** Takes each sector at random from the written or from the synced file. */
function tear(path: string, shadow: string, random: Random): void {
  const [written, synced] = [path, shadow].map((file) => (existsSync(file) ? readFileSync(file) : Buffer.alloc(0))) as [
    Buffer,
    Buffer,
  ]
  const torn = Buffer.alloc(Math.max(written.length, synced.length))
  synced.copy(torn)
  for (let at = 0; at < written.length; at += sectorBytes) {
    if (random.below(2) === 0) written.copy(torn, at, at, at + sectorBytes)
  }
  writeFileSync(shadow, torn)
}
