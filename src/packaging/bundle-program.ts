import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { assets, libraries, phoneThreads } from './assets.ts'
import { bundleConsole } from './bundle-console.ts'
import { collectLicenses } from './licenses.ts'

// Used by the build only. The current directory is the project's.

/** A file to put inside the program. */
type File = readonly [name: string, content: string | Buffer]

/** A file inside the program, by the name that `embedded.ts` uses, and compressed. */
export type Packed = readonly [name: string, compressed: Buffer]

export interface Program {
  /** The code of the single file, which runs `main` (start.ts). */
  start: string
  /** The code of the program. */
  main: string
  packed: Packed[]
  /** The license texts of everything inside. */
  licenses: string
  /** The directories of the npm packages inside. */
  packages: string[]
}

const { resolve } = createRequire(import.meta.url)
const sqlite = dirname(resolve('better-sqlite3/package.json'))

/** Any platform's entry of better-sqlite3: they differ only in the addon. */
const sqliteEntry = resolve('better-sqlite3/linux-x64')

/** The path of SQLite's addon for a platform, such as `linux-x64`. */
export function addonFor(platform: string): string {
  return join(sqlite, 'prebuilds', `${platform}.node`)
}

/** Bundles the program with further files and SQLite's addon inside. Without an addon, it loads that of an installed better-sqlite3. */
export async function bundleProgram(addon: string | undefined, further: readonly File[]): Promise<Program> {
  const main = await bundleMain(addon)
  const console = await bundleConsole()
  const threads = await bundleThreads()
  const packedLibraries = await Promise.all(libraries.map(bundleLibrary))
  const bundles = [main, console, ...threads, ...packedLibraries].map(({ metafile }) => metafile)
  const { text: licenses, packages } = collectLicenses(bundles, Object.values(assets))
  const files: File[] = [
    ...(addon ? [['addon', readFileSync(addon)] as const] : []),
    ...Object.entries(assets).map(([name, path]): File => [name, gzipSync(readFileSync(path), { level: 9 })]), // as browsers get them
    ...[...threads, ...packedLibraries].map(({ name, code }): File => [name, code]),
    ...further,
    ['console', packConsole(console.files)],
    ['licenses', licenses],
  ]
  const packed = files.map(([name, content]): Packed => [name, pack(content)])
  const start = await bundle({ entryPoints: ['src/packaging/start.ts'], banner: { js: versionGuard } })
  return { start: start.code, main: main.code, packed, licenses, packages }
}

export function pack(content: string | Buffer): Buffer {
  return brotliCompressSync(content, compression)
}

/** Bundles each thread, by the names that `embedded.ts` uses. */
export function bundleThreads(): Promise<{ name: string; code: string; metafile: Metafile }[]> {
  return Promise.all(Object.keys(threadFiles).map(async (name) => ({ name, ...(await bundleThread(name)) })))
}

// Runs before the rest of the file, and uses syntax that every version of Node can parse.
const versionGuard = `
if (parseInt(process.versions.node, 10) < 22) {
  process.stderr.write('Kontor needs Node.js 22 or newer; this is ' + process.version + '.\\n');
  process.exit(1);
}`

/** Takes seconds. The best quality would take minutes and save a tenth. */
const compression = {
  params: { [zlib.BROTLI_PARAM_QUALITY]: 9, [zlib.BROTLI_PARAM_LGWIN]: zlib.BROTLI_MAX_WINDOW_BITS },
}

/** What Koa's parsers and Commander load at every start, and what is never used. */
const unusedModules = /^(qs|iconv-lite|node:child_process)$/

/** Node refuses or warns of dynamic imports in code that it did not load itself: esbuild makes calls of `require` of them. */
const withoutImports = { 'dynamic-import': false }

function bundleMain(addon: string | undefined) {
  const embedded = {
    EMBEDDED_VERSION: JSON.parse(readFileSync('package.json', 'utf8')).version,
    EMBEDDED_SCHEMA: readFileSync('schema.sql', 'utf8'),
    EMBEDDED_ADDON_SHA256: addon ? createHash('sha256').update(readFileSync(addon)).digest('hex') : '',
  }
  const define = Object.fromEntries(Object.entries(embedded).map(([name, text]) => [name, JSON.stringify(text)]))
  return bundle({
    entryPoints: ['src/main.ts'],
    plugins: [
      embeddedAddon("require('./src/packaging/embedded.ts').addonPath()"),
      packedLibrary,
      without(unusedModules),
      leanMediaTypes,
    ],
    define: { ...define, 'import.meta.url': 'undefined' }, // used only by branches for development
    supported: withoutImports,
  })
}

/** One copy of the tables that each of several packages of mail has. */
function charsetsOf(owner: string) {
  const find = createRequire(resolve(owner)).resolve
  return Object.fromEntries(['iconv-lite', 'encoding-japanese'].map((name) => [name, find(name)]))
}

async function bundleLibrary(name: string) {
  const alias = name === 'imapflow' ? charsetsOf(name) : {}
  return { name, ...(await bundle({ entryPoints: [resolve(name)], alias })) }
}

const threadFiles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['worker', 'read-thread', 'snapshot-thread', 'webhook-thread', 'checkpoint-thread'].map((name) => [
      name,
      `src/threads/${name}.ts`,
    ]),
  ),
  'long-request-thread': 'src/long-requests/thread.ts',
  'mail-thread': 'src/mail/mail-thread.ts',
}

function bundleThread(name: string) {
  const plugins = [
    embeddedAddon("require('node:worker_threads').workerData.addonPath"),
    phoneThreads.includes(name) ? handed(versionAndAssets) : without(/\/phone-numbers\.ts$/),
    ...(name === 'long-request-thread' ? [without(unusedModules), leanMediaTypes] : []),
  ]
  const alias = name === 'mail-thread' ? charsetsOf('mailparser') : {}
  const define = { 'import.meta.url': 'undefined' }
  return bundle({ entryPoints: [threadFiles[name]!], plugins, alias, define, supported: withoutImports })
}

const common = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'es2022',
  minify: true,
  lineLimit: 160, // an uncaught error prints the complete source line
  legalComments: 'none',
} as const

async function bundle(options: BuildOptions): Promise<{ code: string; metafile: Metafile }> {
  const { outputFiles, metafile, warnings } = await build({ ...common, ...options, write: false, metafile: true })
  if (warnings.length > 0) throw new Error('esbuild warned: see above')
  return { code: escaped(outputFiles[0]!.text), metafile }
}

/** Text beyond ASCII as escapes; esbuild leaves it in regular expressions. One such character would double the program's size in memory. */
function escaped(code: string): string {
  if (/\\[^\0-\x7f]/.test(code))
    throw new Error('a character beyond ASCII follows a backslash: leave the backslash out')
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Bundles better-sqlite3 without its addon, which is loaded from `pathExpression`. */
function embeddedAddon(pathExpression: string): Plugin {
  return {
    name: 'embedded-addon',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^better-sqlite3$/ }, () => ({ path: sqliteEntry }))
      onResolve({ filter: /\.node$/ }, ({ path }) => ({ path, namespace: 'addon' }))
      onLoad({ filter: /.*/, namespace: 'addon' }, () => ({
        contents: `process.dlopen(module, ${pathExpression})`,
        resolveDir: process.cwd(),
      }))
    },
  }
}

/** Leaves out the libraries that are packed, and loads one where it is imported. */
const packedLibrary: Plugin = {
  name: 'packed-library',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^(${libraries.join('|')})$`) }, ({ path }) => ({ path, namespace: 'library' }))
    onLoad({ filter: /.*/, namespace: 'library' }, ({ path }) => ({
      contents: `module.exports = require('./src/packaging/embedded.ts').loadLibrary(${JSON.stringify(path)})`,
      resolveDir: process.cwd(),
    }))
  },
}

/**
 * Removes modules that are never used: in the program, what Koa's parsers and Commander load at every start (forms, charsets, external
 * subcommands); in threads that compare no telephone numbers, the numbering plans.
 */
function without(modules: RegExp): Plugin {
  return {
    name: 'without-unused',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: modules }, ({ path }) => ({ path, namespace: 'unused' }))
      onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {}' }))
    },
  }
}

const readAsset = "exports.readAsset = (name) => Buffer.from(require('node:worker_threads').workerData.assets[name])"
const versionAndAssets = `${readAsset}; exports.version = ${JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8')).version)}`

/** A thread has no packed files: it is handed what it may read, by this code. */
function handed(contents: string): Plugin {
  return {
    name: 'handed',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\/embedded\.ts$/ }, ({ path }) => ({ path, namespace: 'handed' }))
      onLoad({ filter: /.*/, namespace: 'handed' }, () => ({ contents }))
    },
  }
}

/** Replaces the database of media types, whose 2,500 entries Koa would index at every start, by the types that are used. */
const leanMediaTypes: Plugin = {
  name: 'lean-media-types',
  setup({ onLoad }) {
    const served = ['application/json', 'text/html', 'text/css', 'text/javascript', 'text/plain', 'image/svg+xml']
    onLoad({ filter: /mime-db\/db\.json$/ }, ({ path }) => {
      const types = JSON.parse(readFileSync(path, 'utf8'))
      return {
        contents: `module.exports = ${JSON.stringify(Object.fromEntries(served.map((type) => [type, types[type]])))}`,
      }
    })
  },
}

/** The console's files by path: type and gzip in base64, as `console-files.ts` unpacks them. */
function packConsole(files: Awaited<ReturnType<typeof bundleConsole>>['files']): string {
  const packed = [...files].map(([path, { type, gzip }]) => [path, [type, gzip.toString('base64')]])
  return JSON.stringify(Object.fromEntries(packed))
}
