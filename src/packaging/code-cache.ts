import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'
import { privateDirectory, writeAtomically } from './private-directory.ts'

/** By then, a server has compiled what its start needs. */
const keptAfterMs = 1_000

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
    return join(privateDirectory(), `${id}-${cachedDataVersionTag()}.code`)
  } catch {
    return undefined
  }
}

/** V8 believes what it reads, so half of a file, as a power cut leaves it, would end the process. */
function readCache(path: string): Buffer | undefined {
  try {
    const file = readFileSync(path)
    const data = file.subarray(digestBytes)
    return hash('sha256', data, 'buffer').equals(file.subarray(0, digestBytes)) ? data : undefined
  } catch {
    return undefined
  }
}

function writeCache(path: string, script: Script): void {
  const data = script.createCachedData()
  try {
    writeAtomically(path, Buffer.concat([hash('sha256', data, 'buffer'), data]))
  } catch {
    // The next start tries again.
  }
}
