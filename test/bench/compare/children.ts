import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

const outputMax = 8_000

/** A program that runs, and the end of what it has printed. */
export interface Child {
  process: ChildProcess
  /** Resolves when the program has ended or cannot be started, with a sentence that says so and the end of its output. */
  ended: Promise<string>
}

const running = new Set<ChildProcess>()

/**
 * A temporary directory. It is removed when this process ends, after all programs that run: also on Ctrl-C, after an error, and when the
 * terminal is closed.
 */
export function openWorkDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'kontor-compare-'))
  process.once('exit', () => {
    for (const child of running) endGroup(child)
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 })
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]))
  }
  return directory
}

/** Starts a program, in a process group of its own. `name` is what errors call it. */
export function spawnChild(
  name: string,
  [command, ...args]: readonly [string, ...string[]],
  { cwd, env }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Child {
  const child = spawn(command, args, {
    ...(cwd && { cwd }),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    // Only the end is decoded and kept: the log of a busy server must not cost much here.
    stream.on('data', (piece: Buffer) => {
      const before = piece.length < outputMax ? output : ''
      output = (before + piece.subarray(-outputMax).toString()).slice(-outputMax)
    })
  }
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`${name} cannot be started: ${error.message}`))
    child.once('close', (code, signal) => {
      running.delete(child)
      const last = output.trim() || '(nothing)'
      resolve(`${name} ended with ${signal ?? `code ${code}`}. The end of its output:\n${last}`)
    })
  })
  return { process: child, ended }
}

/** Runs a program to its end and returns its standard output. Throws if it fails. */
export async function run(...spawned: Parameters<typeof spawnChild>): Promise<string> {
  const child = spawnChild(...spawned)
  const pieces: Buffer[] = []
  child.process.stdout!.on('data', (piece: Buffer) => pieces.push(piece))
  const ended = await child.ended
  if (child.process.exitCode !== 0) throw new Error(ended)
  return Buffer.concat(pieces).toString()
}

export async function stopChild({ process: child, ended }: Child): Promise<void> {
  child.kill('SIGTERM')
  await ended
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {} // it has ended
}
