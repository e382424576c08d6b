import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Program } from '../bundle-program.ts'
import { writeFile } from '../write-program.ts'
import { npm } from './runtimes.ts'

/** What programs can import from the package: names in its `exports`, with their sources. */
const modules: Modules = { './test': 'src/client/test.ts' }

export type Modules = Readonly<Record<string, string>>

const copied = ['README.md', 'CHANGELOG.md', 'LICENSE']

/** Writes the npm package into `output`, from files that it puts into `directory`. Returns the name of the file. */
export async function writePackage(program: Program, directory: string, output: string): Promise<string> {
  mkdirSync(directory)
  writeFile(program, join(directory, 'kontor.cjs'))
  writeFileSync(join(directory, 'LICENSES.txt'), program.licenses)
  for (const name of copied) copyFileSync(name, join(directory, name))
  const exports = await writeModules(modules, directory)
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest(exports), null, 2)}\n`)
  const [{ filename }] = JSON.parse(
    npm(['pack', directory, '--json', '--ignore-scripts', '--pack-destination', output]),
  )
  return filename
}

function manifest(exports: object) {
  const own = JSON.parse(readFileSync('package.json', 'utf8'))
  const { name, version, description, license, author, dependencies } = own
  return {
    ...{ name, version, description, license, author },
    bin: { kontor: 'kontor.cjs' },
    exports: { ...exports, './package.json': './package.json' },
    engines: { node: '>=22' },
    dependencies: { 'better-sqlite3': dependencies['better-sqlite3'] },
  }
}

/** Bundles each module as `<name>.mjs` and `<name>.cjs`, and writes its types below `types`. Returns the `exports` for them. */
export async function writeModules(sources: Modules, directory: string): Promise<object> {
  const entries = Object.entries(sources)
  if (entries.length === 0) return {}
  const named = entries.map(([name, source]) => [name.replace('./', ''), source])
  const common = { bundle: true, platform: 'node', target: 'es2022', legalComments: 'none' } as const
  const each = { ...common, entryPoints: Object.fromEntries(named), outdir: directory }
  await build({ ...each, format: 'esm', outExtension: { '.js': '.mjs' } })
  const define = { 'import.meta.dirname': '__dirname' }
  await build({ ...each, format: 'cjs', outExtension: { '.js': '.cjs' }, define })
  writeTypes(
    entries.map(([, source]) => source),
    directory,
  )
  return Object.fromEntries(
    entries.map(([name, source]) => {
      const declaration = source.replace(/^src\//, './types/').replace(/\.ts$/, '.d.ts')
      return [name, { types: declaration, import: `${name}.mjs`, require: `${name}.cjs` }]
    }),
  )
}

function writeTypes(sources: readonly string[], directory: string): void {
  const here = (path: string) => join(process.cwd(), path)
  const config = join(directory, 'tsconfig.json')
  const emit = { noEmit: false, declaration: true, emitDeclarationOnly: true }
  const paths = { rootDir: here('src'), outDir: join(directory, 'types'), typeRoots: [here('node_modules/@types')] }
  const compilerOptions = { ...emit, ...paths }
  writeFileSync(
    config,
    JSON.stringify({ extends: here('tsconfig.json'), include: [], files: sources.map(here), compilerOptions }),
  )
  execFileSync(process.execPath, [here('node_modules/.bin/tsc'), '-p', config], { stdio: 'inherit' })
  rmSync(config)
}
