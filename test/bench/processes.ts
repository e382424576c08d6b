import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const root = new URL('../../', import.meta.url).pathname
export const bundle = `${root}dist/kontor.cjs`
export const executable = `${root}dist/kontor`

/** The unit of Linux's CPU time counters, on every architecture. */
const ticksPerSecond = 100

export const serverCore = 0
export const loadCore = 1

/** The command that serves a data directory on a free port. */
export function serving(data: string, ...more: readonly string[]): [string, ...string[]] {
  return [process.execPath, bundle, 'serve', '--data', data, '--port', '0', ...more]
}

/** Starts a program pinned to one core or several (`0-1`). Resolves with the process and its first line of output as JSON. */
export async function start(
  core: number | string,
  [command, ...args]: [string, ...string[]],
  env: NodeJS.ProcessEnv = {},
): Promise<{ child: ChildProcess; first: { url: string; key: string } }> {
  const child = spawn('taskset', ['-c', String(core), command, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const lines = createInterface({ input: child.stdout! })
  const [line] = await once(lines, 'line')
  lines.close()
  child.stdout!.resume() // the log is not read line by line, which would take the processor time of the measured server
  return { child, first: JSON.parse(line) }
}

export async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** Runs a command of Kontor and returns its JSON. */
export function kontor(...args: string[]): Record<string, string> {
  return kontorReading('', ...args)
}

/** Runs a command of Kontor with the given standard input. */
export function kontorReading(input: string, ...args: string[]): Record<string, string> {
  return JSON.parse(execFileSync(process.execPath, [bundle, ...args, '--json'], { encoding: 'utf8', input }))
}

export interface Load {
  url: string
  method?: 'GET' | 'POST' | 'PATCH'
  headers?: Record<string, string>
  /** Each `#` is replaced by the number of the request. */
  body?: string
  /** What is appended to `url`, in turn. */
  ids?: readonly string[]
  seconds: number
}

export interface Measure {
  requests: number
  rate: number
  p50: number
  p99: number
}

export async function measure(load: Load): Promise<Measure> {
  const script = new URL('./load.ts', import.meta.url).pathname
  const { child, first } = await start(loadCore, [process.execPath, script, JSON.stringify(load)])
  if (child.exitCode === null) await once(child, 'exit')
  return first as unknown as Measure
}

/** The CPU time that a process has used, in all of its threads. */
export function cpuSeconds({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** Resident memory in MiB. */
export function residentMiB({ pid }: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
