import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bundleThreads } from '../../src/packaging/bundle-program.ts'
import { writeAtomically } from '../../src/packaging/private-directory.ts'

/** Builds the threads, so that those which tests start load one file each. Another run may use the same files. Returns their directory. */
export async function buildThreads(): Promise<string> {
  const directory = resolve('node_modules/.cache/test-threads')
  mkdirSync(directory, { recursive: true })
  for (const { name, code } of await bundleThreads()) writeAtomically(join(directory, `${name}.cjs`), Buffer.from(code))
  return directory
}
