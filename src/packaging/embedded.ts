import { readFileSync } from 'node:fs'
import { compileFunction } from 'node:vm'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { installedAddon, unpackAddon } from './addon.ts'
import { type AssetName, assets, type LibraryName, phoneThreads } from './assets.ts'
import { findPacked, unpacked } from './packed-file.ts'

// Files that the build embeds; in development they are read from the project. `bundle-program.ts` defines the names below.
declare const EMBEDDED_VERSION: string | undefined
declare const EMBEDDED_SCHEMA: string
declare const EMBEDDED_ADDON_SHA256: string
/** The content of the program's file, as `start.ts` has read it: an upgrade may replace or remove the file while a server runs. */
declare const packedFile: Buffer

export const built = typeof EMBEDDED_VERSION === 'string'

export const version: string = built
  ? EMBEDDED_VERSION
  : JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

export const schemaSql: string = built
  ? EMBEDDED_SCHEMA
  : readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8')

/** A compressed file for browsers. */
export interface PackedFile {
  /** Content-Type. */
  type: string
  gzip: Buffer
}

/** The path of SQLite's native addon. Undefined in development, where the installed package has its own. Throws OperatorError. */
export function addonPath(): string | undefined {
  if (!built) return undefined
  return EMBEDDED_ADDON_SHA256 ? unpackAddon(EMBEDDED_ADDON_SHA256, () => readPacked('addon')) : installedAddon()
}

/** A static file, compressed with gzip. */
export function readAsset(name: AssetName): Buffer {
  return built ? readPacked(name) : gzipSync(readFileSync(new URL(`../../${assets[name]}`, import.meta.url)))
}

/** The threads mostly allocate short-lived strings, so a larger young generation would only cost memory. */
const maxYoungGenerationSizeMb = 16

const threads = {
  worker: () => new URL('../threads/worker.ts', import.meta.url),
  'read-thread': () => new URL('../threads/read-thread.ts', import.meta.url),
  'snapshot-thread': () => new URL('../threads/snapshot-thread.ts', import.meta.url),
  'webhook-thread': () => new URL('../threads/webhook-thread.ts', import.meta.url),
  'checkpoint-thread': () => new URL('../threads/checkpoint-thread.ts', import.meta.url),
  'long-request-thread': () => new URL('../long-requests/thread.ts', import.meta.url),
  'mail-thread': () => new URL('../mail/mail-thread.ts', import.meta.url),
}

/** Of the thread that reads what anybody sends. Buffers are not included. */
const mailHeapMb = 160

/** Runs the code that a thread is handed. Node.js would parse code that is given directly twice: first to see whether it is a module. */
const runCode = `new (require('node:vm').Script)(require('node:worker_threads').workerData.code).runInThisContext()`

/** When one of these ends, Node.js must not close what it has opened beside SQLite: that would end all locks of the process on the database. */
const leavesOpen: readonly (keyof typeof threads)[] = ['worker', 'checkpoint-thread']

export function startThread(name: keyof typeof threads, input: object): Worker {
  const plans: AssetName = 'phone-numbers.json'
  const options: WorkerOptions = {
    workerData: {
      ...input,
      addonPath: addonPath(),
      ...(built && { code: readPacked(name).toString() }),
      ...(built && phoneThreads.includes(name) && { assets: { [plans]: readPacked(plans) } }),
    },
    trackUnmanagedFds: !leavesOpen.includes(name),
    resourceLimits: { maxYoungGenerationSizeMb, ...(name === 'mail-thread' && { maxOldGenerationSizeMb: mailHeapMb }) },
  }
  return built ? new Worker(runCode, { ...options, eval: true }) : new Worker(threads[name](), options)
}

/** Runs a packed library, which needs nothing but modules of Node.js. The build calls this where it is imported. */
export function loadLibrary(name: LibraryName): unknown {
  const module = { exports: {} }
  compileFunction(readPacked(name).toString(), ['module', 'exports', 'require'])(module, module.exports, requireBuiltin)
  return module.exports
}

function requireBuiltin(id: string): unknown {
  const module = process.getBuiltinModule(id)
  if (!module) throw new Error(`${id} is not inside the program`) // a library asks whether an optional package is there
  return module
}

/** The content of a packed file: in the executable an asset, in the single file a comment (packed-file.ts). */
export function readPacked(name: string): Buffer {
  return unpacked(
    isExecutable()
      ? Buffer.from(process.getBuiltinModule('node:sea').getRawAsset(name))
      : findPacked(packedFile, name)!,
  )
}

function isExecutable(): boolean {
  return process.getBuiltinModule('node:sea').isSea()
}
