// Builds dist/kontor.cjs (one file for Node 22 and newer) and dist/kontor (one executable). With `--if-needed`, only if a source is newer.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { madeImages } from './src/commands/seed/images.ts'
import { assets } from './src/packaging/assets.ts'
import { bundleConsole } from './src/packaging/bundle-console.ts'
import { collectLicenses } from './src/packaging/licenses.ts'
import { packImage } from './src/sandbox/packed-image.ts'

const file = 'dist/kontor.cjs'
const executable = 'dist/kontor'
const sources = ['src/**/*', 'schema.sql', 'build.mjs', 'package.json', 'package-lock.json']
const platform = `${process.platform}-${process.arch}`
const require = createRequire(import.meta.url)
const addon = join(dirname(require.resolve('better-sqlite3/package.json')), 'prebuilds', `${platform}.node`)

// Runs before the rest of the file, and uses syntax that every version of Node can parse.
const versionGuard = `
if (parseInt(process.versions.node, 10) < 22) {
  process.stderr.write('Kontor needs Node.js 22 or newer; this is ' + process.version + '.\\n');
  process.exit(1);
}`

const common = {
  bundle: true,
  write: false,
  platform: 'node',
  format: 'cjs',
  target: 'es2022',
  minify: true,
  lineLimit: 160, // an uncaught error prints the complete source line
  legalComments: 'none',
}

/** The esbuild metafile of each bundle, for the licenses. */
const contents = []

/** Bundles better-sqlite3 by its entry for this platform; the addon is loaded from `pathExpression`. */
function embeddedAddon(pathExpression) {
  return {
    name: 'embedded-addon',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^better-sqlite3$/ }, () => ({ path: require.resolve(`better-sqlite3/${platform}`) }))
      onResolve({ filter: /\.node$/ }, ({ path }) => ({ path, namespace: 'addon' }))
      onLoad({ filter: /.*/, namespace: 'addon' }, () => ({
        contents: `process.dlopen(module, ${pathExpression})`,
        resolveDir: import.meta.dirname,
      }))
    },
  }
}

/** Removes code that Koa's parsers and Commander load at every start but that Kontor never uses: forms, charsets, external subcommands. */
const withoutUnused = {
  name: 'without-unused',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(qs|iconv-lite|node:child_process)$/ }, ({ path }) => ({ path, namespace: 'unused' }))
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {}' }))
  },
}

/** Replaces the database of media types, whose 2,500 entries Koa would index at every start, by the types that are used. */
const leanMediaTypes = {
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

async function bundle(options) {
  const { outputFiles, metafile, warnings } = await build({ ...common, ...options, metafile: true })
  if (warnings.length > 0) throw new Error('esbuild warned: see above')
  contents.push(metafile)
  return outputFiles[0].text
}

function bundleThread(name) {
  const plugins = [embeddedAddon("require('node:worker_threads').workerData.addonPath")]
  return bundle({ entryPoints: [`src/jobs/${name}.ts`], plugins })
}

/** The console's files by path: type and gzip in base64, as src/packaging/console-files.ts unpacks them. */
async function packConsole() {
  const { files, metafile } = await bundleConsole()
  contents.push(metafile)
  const packed = [...files].map(([path, { type, gzip }]) => [path, [type, gzip.toString('base64')]])
  return JSON.stringify(Object.fromEntries(packed))
}

async function bundleMain() {
  const embedded = {
    EMBEDDED_VERSION: JSON.parse(readFileSync('package.json', 'utf8')).version,
    EMBEDDED_SCHEMA: readFileSync('schema.sql', 'utf8'),
    EMBEDDED_ADDON_SHA256: createHash('sha256').update(readFileSync(addon)).digest('hex'),
  }
  const define = Object.fromEntries(Object.entries(embedded).map(([name, text]) => [name, JSON.stringify(text)]))
  return bundle({
    entryPoints: ['src/main.ts'],
    plugins: [embeddedAddon("require('./src/packaging/embedded.ts').addonPath()"), withoutUnused, leanMediaTypes],
    banner: { js: versionGuard },
    define: { ...define, 'import.meta.url': 'undefined' }, // used only by branches for development
  })
}

/** The files to embed, compressed, by the names that `src/packaging/embedded.ts` uses. */
async function packFiles() {
  const files = Object.entries({ addon, ...assets }).map(([name, path]) => [name, readFileSync(path)])
  const threads = [
    ['worker', await bundleThread('worker')],
    ['read-thread', await bundleThread('read-thread')],
    ['snapshot-thread', await bundleThread('snapshot-thread')],
    ['webhook-thread', await bundleThread('webhook-thread')],
  ]
  const images = [
    ['sandbox-empty', packImage(await madeImages.empty())],
    ['sandbox-demo', packImage(await madeImages.demo())],
  ]
  const pages = await packConsole()
  const made = [
    ...threads,
    ...images,
    ['console', pages],
    ['licenses', collectLicenses(contents, Object.values(assets))],
  ]
  return [...files, ...made].map(([name, content]) => [name, gzipSync(content, { level: 9 })])
}

/** Writes the code, followed by a comment for each packed file: a start skips comments, but would parse literals. */
function writeFile(code, packed) {
  const comments = packed.map(([name, bytes]) => `//${name} ${bytes.toString('base64')}\n`)
  writeFileSync(file, `#!/usr/bin/env node\n${code}\n${comments.join('')}`)
  chmodSync(file, 0o755)
}

function writeExecutable(code, packed) {
  const directory = mkdtempSync('dist/sea-')
  const put = (name, content) => {
    const path = join(directory, name.replaceAll('/', '-'))
    writeFileSync(path, content)
    return path
  }
  const options = {
    main: put('main.cjs', code),
    output: executable,
    assets: Object.fromEntries(packed.map(([name, bytes]) => [name, put(name, bytes)])),
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
  }
  execFileSync(process.execPath, ['--build-sea', put('config.json', JSON.stringify(options))], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  rmSync(directory, { recursive: true })
}

function isCurrent() {
  const built = [file, executable].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  const changed = globSync(sources).map((path) => statSync(path).mtimeMs)
  return Math.min(...built) > Math.max(...changed)
}

process.chdir(import.meta.dirname)
if (!process.argv.includes('--if-needed') || !isCurrent()) {
  mkdirSync('dist', { recursive: true })
  const code = await bundleMain()
  const packed = await packFiles()
  writeFile(code, packed)
  writeExecutable(code, packed)
}
