import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'

const processorHog = 'for (;;);'
/** Rewrites a file of 16 MiB again and again, each time through to the disk. */
const diskHog = `const { openSync, writeSync, fsyncSync } = require('node:fs')
const [file, block] = [openSync(process.argv[1], 'w'), Buffer.alloc(2 ** 20, 1)]
for (;;) for (let at = 0; at < 16; at++) { writeSync(file, block, 0, block.length, at * block.length); fsyncSync(file) }`

/** Keeps all processors and the disk busy with other things until the process ends. */
export function startHogs(): void {
  const directory = mkdtempSync(join(tmpdir(), 'kontor-hogs-'))
  const start = (...args: string[]) =>
    spawn(process.execPath, ['-e', ...args], { stdio: 'ignore' }).on('error', (error) => console.error(error))
  const hogs = Array.from({ length: availableParallelism() }, () => start(processorHog))
  hogs.push(start(diskHog, join(directory, 'file')))
  process.once('exit', () => {
    for (const hog of hogs) hog.kill('SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  })
  for (const hog of hogs) hog.unref()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
}
