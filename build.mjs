// Builds dist/kontor.cjs (one file for Node 22 and newer) and dist/kontor (one executable). With `--if-needed`, only if a source is newer.
import { requireNode } from './src/packaging/require-node.mjs'

requireNode('build.mjs')
const { globSync, mkdirSync, statSync } = await import('node:fs')
const { packImages } = await import('./src/commands/pack-images.ts')
const { addonFor, bundleProgram } = await import('./src/packaging/bundle-program.ts')
const { writeExecutable, writeFile } = await import('./src/packaging/write-program.ts')

const file = 'dist/kontor.cjs'
const executable = 'dist/kontor'
const sources = ['src/**/*', 'schema.sql', 'build.mjs', 'package.json', 'package-lock.json']

function isCurrent() {
  const built = [file, executable].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  const changed = globSync(sources).map((path) => statSync(path).mtimeMs)
  return Math.min(...built) > Math.max(...changed)
}

process.chdir(import.meta.dirname)
if (!process.argv.includes('--if-needed') || !isCurrent()) {
  process.stderr.write('Building Kontor, which takes up to a minute or two …\n')
  mkdirSync('dist', { recursive: true })
  const program = await bundleProgram(addonFor(`${process.platform}-${process.arch}`), await packImages())
  writeFile(program, file)
  writeExecutable(program, executable)
}
