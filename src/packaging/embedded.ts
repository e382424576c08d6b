import { readFileSync } from 'node:fs'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { unpackAddon } from './addon.ts'

// What the build puts inside the one file; in development it is read from where it lies. build.mjs defines the names below.
declare const EMBEDDED_VERSION: string | undefined
declare const EMBEDDED_SCHEMA: string
declare const EMBEDDED_WORKER: string
declare const EMBEDDED_LIST_THREAD: string
declare const EMBEDDED_ADDON_SHA256: string
declare const EMBEDDED_ADDON_GZIP: string

const built = typeof EMBEDDED_VERSION === 'string'

export const version: string = built
  ? EMBEDDED_VERSION
  : JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

export const schemaSql: string = built
  ? EMBEDDED_SCHEMA
  : readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8')

let unpacked: string | undefined

/** Where SQLite's native addon lies; undefined in development, where the installed package's is used. */
export function addonPath(): string | undefined {
  if (!built) return undefined
  // Inside a function the large literal costs nothing until it is needed.
  unpacked ??= unpackAddon(EMBEDDED_ADDON_SHA256, () => EMBEDDED_ADDON_GZIP)
  return unpacked
}

/** A thread's garbage is strings that are soon passed on: more room for it would only be memory. */
const maxYoungGenerationSizeMb = 16

const threads = {
  worker: built ? () => EMBEDDED_WORKER : () => new URL('../jobs/worker.ts', import.meta.url),
  'list-thread': built ? () => EMBEDDED_LIST_THREAD : () => new URL('../jobs/list-thread.ts', import.meta.url),
}

/** Starts a thread of `jobs/`. */
export function startThread(name: keyof typeof threads, input: object): Worker {
  const options: WorkerOptions = { workerData: { ...input, addonPath: addonPath() } }
  return new Worker(threads[name](), { ...options, eval: built, resourceLimits: { maxYoungGenerationSizeMb } })
}
