import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { keepLine } from './server-log.ts'

const root = new URL('../../', import.meta.url).pathname

/** A program's path and its first arguments. */
export type Command = readonly [string, ...string[]]

/** The two artifacts of the build. */
export const bundle: Command = [process.execPath, join(root, 'dist/kontor.cjs')]
export const executable: Command = [join(root, 'dist/kontor')]

export interface Run {
  code: number
  stdout: string
  stderr: string
}

/** In bytes. The OpenAPI document is larger than the default, one MiB. */
const outputMax = 16 * 2 ** 20

/** Runs a program until it exits. */
export function run(
  [program, ...before]: Command,
  args: string[],
  options: { cwd?: string; input?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      [...before, ...args],
      { cwd: options.cwd, env: { ...process.env, ...options.env }, maxBuffer: outputMax },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
    child.stdin!.on('error', () => {}) // a program that refuses its options ends without reading
    child.stdin!.end(options.input ?? '')
  })
}

/** Runs an administrative command. Returns its JSON. */
// biome-ignore lint/suspicious/noExplicitAny: commands print records of every shape
export async function administer(command: Command, ...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await run(command, [...args, '--json'])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

export interface Process {
  child: ChildProcess
  /** The first line of its output, as JSON. */
  first: Record<string, string>
  /** Sends the signal. Returns the exit code, or the signal that ended the process. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>
}

interface LaunchOptions {
  cwd?: string
  env?: NodeJS.ProcessEnv
  stderr?: 'inherit' | 'pipe'
  /** The program starts the server as another process, which gets the signals, too. */
  starts?: boolean
}

/** Starts a server and waits for its first line. The process is killed when the test ends. */
export async function launch(
  t: Pick<TestContext, 'after'>,
  [program, ...before]: Command,
  args: string[],
  { cwd, env, stderr = 'inherit', starts = false }: LaunchOptions = {},
): Promise<Process> {
  const options = { cwd, env: { ...process.env, ...env }, detached: starts }
  const child = spawn(program, [...before, ...args], { ...options, stdio: ['ignore', 'pipe', stderr] })
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals]>
  const kill = (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) process.kill(starts ? -child.pid! : child.pid!, signal)
  }
  t.after(() => kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout! })
  const [line] = await Promise.race([once(lines, 'line'), once(lines, 'close')])
  assert.ok(line, `${args[0]} ended before it was ready`)
  lines.on('line', keepLine)
  return {
    child,
    first: JSON.parse(line),
    async stop(signal = 'SIGTERM') {
      kill(signal)
      const [code, killedBy] = await exited
      return code ?? killedBy
    },
  }
}
