import { createRequire, syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join } from 'node:path'
import threads, { type WorkerOptions } from 'node:worker_threads'
import { readAsset } from '../../src/packaging/embedded.ts'

/** Where the runner has built the threads. Empty in a test that runs alone: its threads load the source, which takes five times as long. */
const directory = process.env.KONTOR_TEST_THREADS ?? ''

const addonPath = join(
  dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json')),
  `prebuilds/${process.platform}-${process.arch}.node`,
)
let plans: Buffer | undefined

if (directory !== '') {
  const { Worker } = threads
  threads.Worker = class extends Worker {
    constructor(source: URL | string, options: WorkerOptions = {}) {
      const name = source instanceof URL ? nameOf(source) : undefined
      if (name === undefined) super(source, options)
      else super(join(directory, `${name}.cjs`), { ...options, workerData: dataOf(name, options) })
    }
  }
  syncBuiltinESMExports()
}

/** The name of one of Kontor's threads; undefined for another one. */
function nameOf({ pathname }: URL): string | undefined {
  if (pathname.endsWith('/src/long-requests/thread.ts')) return 'long-request-thread'
  return /\/src\/(?:threads|mail)\//.test(pathname) ? basename(pathname, '.ts') : undefined
}

/** What the built program hands to a thread. */
function dataOf(name: string, { workerData }: WorkerOptions): object {
  if (name !== 'read-thread') return { ...workerData, addonPath }
  plans ??= readAsset('phone-numbers.json')
  return { ...workerData, addonPath, assets: { 'phone-numbers.json': plans } }
}
