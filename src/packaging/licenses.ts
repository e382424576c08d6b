import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Metafile } from 'esbuild'

// Used by the build only.

const legalFile = /^(?:licen[cs]e|notice|copying)/i
const packagePath = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/
const line = '-'.repeat(80)

interface Licenses {
  text: string
  /** The directories of the packages. */
  packages: string[]
}

/** The licenses of Kontor and of everything in the build: packages with code in a bundle, static files, the runtime. */
export function collectLicenses(bundles: readonly Metafile[], files: readonly string[]): Licenses {
  const code = bundles.flatMap(({ outputs }) => Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs)))
  const paths = [...code.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path), ...files]
  const packages = [...new Set(paths.flatMap((path) => packagePath.exec(path) ?? []))].sort()
  const bundled = files.map((path) => `${path}.LICENSE.txt`).filter((path) => existsSync(path))
  const texts = [
    readFileSync('LICENSE', 'utf8'),
    'Kontor contains the following software. SQLite, inside better-sqlite3, is in the public domain.',
    ...packages.map(licenseOf),
    ...bundled.map((path) => `${path.slice(path.lastIndexOf('/') + 1)}\n\n${readFileSync(path, 'utf8')}`),
    `Node.js ${process.version} (inside the executable)\n\n${readFileSync(runtimeLicense(), 'utf8')}`,
  ]
  return { text: texts.join(`\n${line}\n\n`), packages }
}

/** Throws if a package has no license text. */
function licenseOf(directory: string): string {
  const { name, version, license, author } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  const texts = readdirSync(directory)
    .filter((file) => legalFile.test(file))
    .map((file) => readFileSync(join(directory, file), 'utf8'))
  if (texts.length === 0 && license === 'MIT') texts.push(mitOf(author?.name ?? author ?? `the authors of ${name}`))
  if (texts.length === 0) throw new Error(`${name} has no license text`)
  return [`${name} ${version} (${license})`, ...texts].join('\n\n')
}

/** The MIT license, for a package that names it without its text. Uses Kontor's own license with the copyright line replaced. */
function mitOf(owner: string): string {
  return readFileSync('LICENSE', 'utf8').replace(/^Copyright .*$/m, `Copyright (c) ${owner}`)
}

/** The license of Node.js: in the npm package of the runtime, or next to `bin` as in the archives of nodejs.org. */
function runtimeLicense(): string {
  const bin = dirname(realpathSync(process.execPath))
  try {
    const name = `node-${process.platform}-${process.arch}`
    return createRequire(join(bin, 'node')).resolve(`${name}/LICENSE`)
  } catch {
    return join(bin, '..', 'LICENSE')
  }
}
