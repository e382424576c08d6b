// Creates dist/release (decision N1): everything, or the parts that are named: `npm run release -- npm`. `--out <directory>` is another directory.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { requireNode } from './src/packaging/require-node.mjs'

requireNode('release.mjs')
const { packImages } = await import('./src/commands/pack-images.ts')
const { addonFor, bundleProgram } = await import('./src/packaging/bundle-program.ts')
const { debName, writeDeb } = await import('./src/packaging/release/deb.ts')
const { writePackage } = await import('./src/packaging/release/npm-package.ts')
const { downloadRuntime, requireVersion, targets } = await import('./src/packaging/release/runtimes.ts')
const { describeContent } = await import('./src/packaging/release/sbom.ts')
const { writeExecutable } = await import('./src/packaging/write-program.ts')

const parts = ['npm', 'executables', 'deb']
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: 'dist/release' } },
})
const unknown = positionals.filter((part) => !parts.includes(part))
if (unknown.length > 0) {
  process.stderr.write(`There is no part ${unknown.join(', ')}; allowed: ${parts.join(', ')}\n`)
  process.exit(2)
}
const wants = (part) => positionals.length === 0 || positionals.includes(part)
process.chdir(import.meta.dirname)
const output = resolve(options.out)
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const temporary = mkdtempSync(join(tmpdir(), 'kontor-release-'))
const failures = []
const images = await packImages()

try {
  await release()
} finally {
  rmSync(temporary, { recursive: true })
}
for (const failure of failures) process.stderr.write(`not built: ${failure}\n`)
if (failures.length > 0) process.exitCode = 1

async function release() {
  requireVersion()
  rmSync(output, { recursive: true, force: true })
  mkdirSync(output, { recursive: true })
  const program = await bundleProgram(undefined, images)
  if (wants('npm')) made(await writePackage(program, join(temporary, 'package'), output))
  write(`kontor-${version}.cdx.json`, describeContent(program.packages))
  write('LICENSES.txt', program.licenses)
  for (const target of targets)
    if (wants('executables') || (wants('deb') && debName({ version, ...target }))) await writeTarget(target)
  write('SHA256SUMS', sums())
}

/** Builds the executable of a platform; without its runtime, reports that. */
async function writeTarget({ addon, suffix, runtime }) {
  const name = `kontor-${version}-${suffix}`
  const isOwn = addon === `${process.platform}-${process.arch}`
  try {
    const other = isOwn ? undefined : downloadRuntime(runtime, temporary)
    const path = join(wants('executables') ? output : temporary, name)
    writeExecutable(await bundleProgram(addonFor(addon), images), path, other)
    if (wants('executables')) made(name)
    const deb = wants('deb') ? debName({ version, suffix }) : undefined
    if (deb === undefined) return
    writeDeb({ version, suffix, executable: path }, join(temporary, 'deb'), join(output, deb))
    made(deb)
  } catch (error) {
    rmSync(join(output, name), { force: true })
    failures.push(`${name}: ${error.message}`)
  }
}

function write(name, content) {
  writeFileSync(join(output, name), content)
  made(name)
}

function made(name) {
  process.stdout.write(`${join(options.out, name)}\n`)
}

/** The digests of the other files, in the format of `sha256sum --check`. */
function sums() {
  const digest = (name) =>
    createHash('sha256')
      .update(readFileSync(join(output, name)))
      .digest('hex')
  const lines = readdirSync(output)
    .sort()
    .map((name) => `${digest(name)}  ${name}\n`)
  return lines.join('')
}
