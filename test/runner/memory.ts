import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const [place, prefix] = ['/dev/shm', 'kontor-tests-']
const freeMin = 4 * 2 ** 30

/**
 * Makes a directory in memory for what tests write: a disk that syncs takes them a fifth more processor time, and all the time that they wait
 * for it. It is removed when the process exits. Undefined if `TMPDIR` is set, or the machine has no such place with enough room.
 */
export function memoryDirectory(): string | undefined {
  if (process.env.TMPDIR || !isSuitable()) return undefined
  for (const name of readdirSync(place)) if (isLeftOver(name)) remove(join(place, name))
  const directory = mkdtempSync(join(place, `${prefix}${process.pid}-`))
  chmodSync(directory, 0o755) // some servers run as another user
  process.once('exit', () => remove(directory))
  return directory
}

/** Programs unpack SQLite's addon there, and load it. */
function isSuitable(): boolean {
  if (!existsSync('/proc/mounts')) return false
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const options = mounts.find((line) => line.split(' ')[1] === place)?.split(' ')[3]
  if (options === undefined || options.split(',').includes('noexec')) return false
  const { bavail, bsize } = statfsSync(place)
  return bavail * bsize >= freeMin
}

/** Whether a run that was killed has left it. */
function isLeftOver(name: string): boolean {
  return name.startsWith(prefix) && !existsSync(`/proc/${name.slice(prefix.length).split('-')[0]}`)
}

function remove(directory: string): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: 10 })
}
