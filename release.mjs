// Creates dist/release (decision N1). `--without-executables` leaves them out, `--out <directory>` is another directory.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { requireNode } from './src/packaging/require-node.mjs'

requireNode('release.mjs')
const { packImages } = await import('./src/commands/pack-images.ts')
const { addonFor, bundleProgram } = await import('./src/packaging/bundle-program.ts')
const { writePackage } = await import('./src/packaging/release/npm-package.ts')
const { downloadRuntime, requireVersion, targets } = await import('./src/packaging/release/runtimes.ts')
const { describeContent } = await import('./src/packaging/release/sbom.ts')
const { writeExecutable } = await import('./src/packaging/write-program.ts')

const { values: options } = parseArgs({
  options: { out: { type: 'string', default: 'dist/release' }, 'without-executables': { type: 'boolean' } },
})
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
  made(await writePackage(program, join(temporary, 'package'), output))
  write(`kontor-${version}.cdx.json`, describeContent(program.packages))
  write('LICENSES.txt', program.licenses)
  if (options['without-executables']) process.stdout.write('left out: the executables (--without-executables)\n')
  else for (const target of targets) await writeTarget(target)
  write('SHA256SUMS', sums())
}

/** Builds the executable of a platform; without its runtime, reports that. */
async function writeTarget({ addon, suffix, runtime }) {
  const name = `kontor-${version}-${suffix}`
  const isOwn = addon === `${process.platform}-${process.arch}`
  try {
    const other = isOwn ? undefined : downloadRuntime(runtime, temporary)
    writeExecutable(await bundleProgram(addonFor(addon), images), join(output, name), other)
    made(name)
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
