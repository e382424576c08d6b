import { hash } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'
import { privateDirectory, writeAtomically } from './private-directory.ts'

/** By then, a server has compiled what its start needs. */
const keptAfterMs = 1_000

const oldMs = 30 * 24 * 3_600_000

const digestBytes = 32

/**
 * Compiles code, with what V8 has kept from an earlier start of the same code: `<digest of the code>-<version and flags of V8>.code` in the
 * private directory, a SHA-256 digest followed by V8's data. Without a valid file, all is compiled, and a process that runs for a second
 * writes the file.
 *
 * @param id a digest of the code, in hexadecimal
 */
export function compile(code: string, filename: string, id: string): Script {
  const path = cachePath(id)
  const cachedData = path && readCache(path)
  const script = new Script(code, { filename, ...(cachedData && { cachedData }) })
  if (path && (!cachedData || script.cachedDataRejected))
    setTimeout(() => writeCache(path, script), keptAfterMs).unref()
  return script
}

/** Undefined if there is no private directory: all is compiled at each start. */
function cachePath(id: string): string | undefined {
  try {
    if (!existsSync(tmpdir())) return undefined
    return join(privateDirectory(), `${id}-${cachedDataVersionTag()}.code`)
  } catch {
    return undefined
  }
}

/** V8 believes what it reads: a file of somebody else would be run, and half of a file, as a power cut leaves it, would end the process. */
function readCache(path: string): Buffer | undefined {
  try {
    const file = readOwn(path)
    const data = file.subarray(digestBytes)
    return hash('sha256', data, 'buffer').equals(file.subarray(0, digestBytes)) ? data : undefined
  } catch {
    return undefined
  }
}

/** The content of a file that is this user's, and that nobody else can write. Throws if it is another one. */
function readOwn(path: string): Buffer {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = fstatSync(descriptor)
    const isOwn = !process.getuid || (stats.uid === process.getuid() && (stats.mode & 0o022) === 0)
    if (!stats.isFile() || !isOwn) throw new Error(`${path} is not a file of this user`)
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function writeCache(path: string, script: Script): void {
  const data = script.createCachedData()
  try {
    writeAtomically(path, Buffer.concat([hash('sha256', data, 'buffer'), data]))
    removeOld(dirname(path))
  } catch {
    // The next start tries again.
  }
}

/** Removes the code of other versions. One that is still used is kept again. */
function removeOld(directory: string): void {
  for (const name of readdirSync(directory).filter((each) => each.includes('.code'))) {
    const path = join(directory, name)
    if (Date.now() - lstatSync(path).mtimeMs > oldMs) rmSync(path, { force: true })
  }
}
