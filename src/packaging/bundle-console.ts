import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import type { PackedFile } from './embedded.ts'
import { shareFiles } from './share-files.ts'

const web = join(import.meta.dirname, '../console/web')

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webmanifest: 'application/manifest+json',
}

const options = {
  entryPoints: { console: join(web, 'main.tsx'), early: join(web, 'early.ts') },
  outdir: '/assets',
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  write: false,
  metafile: true,
} satisfies BuildOptions

/** Builds the console: the page, and scripts and styles with hashes in their names. Rarely used code is in separate files. */
export async function bundleConsole(): Promise<{ files: Map<string, PackedFile>; metafile: Metafile }> {
  const { metafile: split } = await build(options)
  const { outputFiles, metafile } = await build({ ...options, plugins: [shareFiles(split)] })
  const files = new Map(
    outputFiles.map(({ path, contents }) => [path.slice(path.lastIndexOf('/assets/')), fileOf(path, contents)]),
  )
  for (const path of [
    'icon.svg',
    'manifest.webmanifest',
    ...readdirSync(join(web, 'icons')).map((name) => `icons/${name}`),
  ]) {
    files.set(`/assets/${basename(path)}`, fileOf(path, readFileSync(join(web, path))))
  }
  const page = pageWith([...files.keys()], metafile)
  const skeleton = readFileSync(join(web, 'inside.html'), 'utf8')
  const inside = withGerman(page.replace('</body>', `${skeleton}</body>`), metafile)
  files.set('/', htmlOf(page))
  for (const [name, script] of pageScripts(metafile))
    files.set(`/inside/${name}`, htmlOf(naming(inside, script, metafile)))
  return { files, metafile }
}

function fileOf(path: string, content: Uint8Array): PackedFile {
  return { type: types[path.slice(path.lastIndexOf('.') + 1)]!, gzip: gzip(content) }
}

function htmlOf(text: string): PackedFile {
  return { type: 'text/html; charset=utf-8', gzip: gzip(text) }
}

/** The template with the hashed names of its style, its script, and the scripts that this one imports, so that they load at once. */
function pageWith(paths: string[], { outputs }: Metafile): string {
  const named = (name: string, ending: string) =>
    paths.find((path) => path.startsWith(`/assets/${name}-`) && path.endsWith(ending))!
  const script = named('console', '.js')
  const [, output] = Object.entries(outputs).find(([path]) => path.endsWith(script))!
  const preloads = importsOf(output)
    .map((path) => preload(addressOf(path)))
    .join('')
  const template = readFileSync(join(web, 'index.html'), 'utf8').replace('<script type', `${preloads}<script type`)
  return template
    .replace('/main.tsx', script)
    .replace('/main.css', named('console', '.css'))
    .replace('/early.js', named('early', '.js'))
}

/** The scripts of pages, by what they are named after: `home` of `home-page.tsx`, `selling` of `pages/selling.ts`. */
function pageScripts({ outputs }: Metafile): [name: string, script: string][] {
  return Object.entries(outputs).flatMap(([script, { entryPoint = '' }]) => {
    const name = /\/(?:pages\/([\w-]+)|([\w-]+)-page)\.tsx?$/.exec(entryPoint)
    return name ? [[(name[1] ?? name[2])!, script]] : []
  })
}

/** The document with a page's scripts, which scripts would otherwise name, round trip by round trip. */
function naming(page: string, script: string, { outputs }: Metafile): string {
  const paths = [script, ...importsOf(outputs[script]!)]
  const names = paths.map(addressOf).filter((path) => !page.includes(path))
  return page.replace('<script type', `${names.map((name) => preload(name)).join('')}<script type`)
}

/** The document with the script of the German texts, in a line that the server removes for other languages. */
function withGerman(page: string, { outputs }: Metafile): string {
  const [german] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith('/german/index.ts'))!
  return page.replace('<script type', `${preload(addressOf(german), 'hreflang="de" ')}<script type`)
}

function preload(path: string, attribute = ''): string {
  return `<link rel="modulepreload" ${attribute}href="${path}" />\n    `
}

function importsOf({ imports }: Metafile['outputs'][string]): string[] {
  return imports.flatMap(({ kind, path }) => (kind === 'import-statement' ? path : []))
}

function addressOf(output: string): string {
  return output.slice(output.lastIndexOf('/assets/'))
}

function gzip(content: Uint8Array | string): Buffer {
  return gzipSync(content, { level: 9 })
}
