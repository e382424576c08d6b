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
  const { outputFiles, metafile } = await build({ ...options, plugins: [shareFiles(split, web)] })
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
  files.set('/', htmlOf(page))
  const inside = page.replace('</body>', `${readFileSync(join(web, 'inside.html'), 'utf8')}</body>`)
  files.set('/inside', htmlOf(inside))
  files.set('/inside/selling', htmlOf(withSelling(inside, metafile)))
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
  const [, { imports }] = Object.entries(outputs).find(([path]) => path.endsWith(script))!
  const loaded = imports
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => path.slice(path.lastIndexOf('/assets/')))
  const preloads = loaded.map((path) => `<link rel="modulepreload" href="${path}" />\n    `).join('')
  const template = readFileSync(join(web, 'index.html'), 'utf8').replace('<script type', `${preloads}<script type`)
  return template
    .replace('/main.tsx', script)
    .replace('/main.css', named('console', '.css'))
    .replace('/early.js', named('early', '.js'))
}

/** The page with the scripts of the pages of records, which would otherwise be named by scripts, round trip by round trip. */
function withSelling(page: string, { outputs }: Metafile): string {
  const [script] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith('/pages/selling.ts'))!
  const paths = [
    script,
    ...outputs[script]!.imports.flatMap(({ kind, path }) => (kind === 'import-statement' ? path : [])),
  ]
  const names = paths.map((path) => path.slice(path.lastIndexOf('/assets/')))
  const links = names
    .filter((name) => !page.includes(name))
    .map((name) => `<link rel="modulepreload" href="${name}" />`)
  return page.replace('<script type', `${links.join('\n    ')}\n    <script type`)
}

function gzip(content: Uint8Array | string): Buffer {
  return gzipSync(content, { level: 9 })
}
