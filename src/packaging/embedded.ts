import { readFileSync } from 'node:fs'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { gunzipSync, gzipSync } from 'node:zlib'
import { unpackAddon } from './addon.ts'
import { type AssetName, assets } from './assets.ts'

// What the build puts inside the one file; in development it is read from where it lies. build.mjs defines the names below.
declare const EMBEDDED_VERSION: string | undefined
declare const EMBEDDED_SCHEMA: string
declare const EMBEDDED_ADDON_SHA256: string

export const built = typeof EMBEDDED_VERSION === 'string'

export const version: string = built
  ? EMBEDDED_VERSION
  : JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

export const schemaSql: string = built
  ? EMBEDDED_SCHEMA
  : readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8')

/** A file for browsers. */
export interface PackedFile {
  /** Content-Type. */
  type: string
  gzip: Buffer
}

let unpacked: string | undefined

/** Where SQLite's native addon lies; undefined in development, where the installed package's is used. */
export function addonPath(): string | undefined {
  if (!built) return undefined
  unpacked ??= unpackAddon(EMBEDDED_ADDON_SHA256, () => readPacked('addon'))
  return unpacked
}

/** A file that is served as it is, compressed by gzip. */
export function readAsset(name: AssetName): Buffer {
  return built ? readPacked(name) : gzipSync(readFileSync(new URL(`../../${assets[name]}`, import.meta.url)))
}

/** A thread's garbage is strings that are soon passed on: more room for it would only be memory. */
const maxYoungGenerationSizeMb = 16

const threads = {
  worker: () => new URL('../jobs/worker.ts', import.meta.url),
  'read-thread': () => new URL('../jobs/read-thread.ts', import.meta.url),
}

/** Starts a thread of `jobs/`. */
export function startThread(name: keyof typeof threads, input: object): Worker {
  const options: WorkerOptions = { workerData: { ...input, addonPath: addonPath() } }
  return new Worker(built ? gunzipSync(readPacked(name)).toString() : threads[name](), {
    ...options,
    eval: built,
    resourceLimits: { maxYoungGenerationSizeMb },
  })
}

/**
 * In the executable: one of its assets. In the one file: a comment behind the code, `//name base64`, since a literal
 * would be read letter by letter at every start.
 */
export function readPacked(name: string): Buffer {
  const sea = process.getBuiltinModule('node:sea')
  if (sea.isSea()) return Buffer.from(sea.getRawAsset(name))
  const text = readFileSync(__filename, 'latin1')
  const start = text.lastIndexOf(`\n//${name} `) + name.length + 4
  return Buffer.from(text.slice(start, text.indexOf('\n', start)), 'base64')
}
