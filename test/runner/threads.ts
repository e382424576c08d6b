import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bundleThreads } from '../../src/packaging/bundle-program.ts'

/** Builds the threads, so that those which tests start load one file each. Returns their directory. */
export async function buildThreads(): Promise<string> {
  const directory = resolve('node_modules/.cache/test-threads')
  mkdirSync(directory, { recursive: true })
  for (const { name, code } of await bundleThreads()) writeFileSync(join(directory, `${name}.cjs`), code)
  return directory
}
