import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { clearTimeout, setTimeout } from 'node:timers' // the global ones may be those of a test
import { sandboxAt } from './connect.ts'
import type { Address, Sandbox, StartOptions } from './types.ts'

const startMs = 30_000
/** A longer timer would ring at once. */
const timerMsMax = 2 ** 31 - 1
/** How much of the first line, and of the end of the complaint, is kept. */
const charactersMax = 16_384

/** Starts the sandbox of a bundled program, as a process that ends with this one (decision I11). Throws Error with its complaint. */
export async function startProgram(program: string, options: StartOptions = {}): Promise<Sandbox> {
  const child = spawn(process.execPath, [program, ...argumentsOf(options)], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const ended = new Promise<void>((resolve) => {
    child.on('exit', () => resolve())
    child.on('error', () => resolve()) // it could not be started
  })
  const end = () => {
    child.ref() // until it has ended, this process waits
    child.kill('SIGKILL') // nothing of it is stored
    return ended
  }
  try {
    const address = await addressFrom(child, options.timeoutMs ?? startMs)
    letGo(child)
    return sandboxAt(address, end)
  } catch (error) {
    await end()
    throw error
  }
}

type OptionName = keyof StartOptions
const optionNames = ['seed', 'now', 'key', 'port', 'args', 'timeoutMs'] satisfies OptionName[] as readonly string[]

function argumentsOf(options: StartOptions): string[] {
  const { seed, now, key, port = 0, args = [] } = options
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name))
  if (unknown !== undefined) throw new TypeError(`There is no option ${unknown}; allowed: ${optionNames.join(', ')}`)
  if (seed !== undefined && typeof seed !== 'string') {
    throw new TypeError('seed must be empty, demo or the path of a seed file')
  }
  const given = { seed, now: typeof now === 'object' ? now.toISOString() : now, key }
  const named = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]))
  return ['sandbox', `--parent=${process.pid}`, `--port=${port}`, ...named, ...args]
}

/** What this process has, without settings of Kontor, which may be meant for another server, and without what runs or measures tests. */
function environment(): NodeJS.ProcessEnv {
  const own = /^(?:KONTOR_.*|NODE_OPTIONS|NODE_V8_COVERAGE)$/i
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)))
}

/** Reads the first line, which is printed when the sandbox is ready. Reads on afterwards, so that the program never waits for its reader. */
async function addressFrom(child: ChildProcess, timeoutMs: number): Promise<Address> {
  let complaint = ''
  const failure = (what: string) => new Error(`kontor sandbox ${what}\n${complaint}`.trimEnd())
  read(child.stderr!, (part) => {
    complaint = (complaint + part).slice(-charactersMax)
  })
  let timer: NodeJS.Timeout | undefined
  const line = await new Promise<string>((resolve, reject) => {
    let output = ''
    read(child.stdout!, (part) => {
      if (!output.includes('\n')) output = (output + part).slice(0, charactersMax)
      if (output.includes('\n')) resolve(output.split('\n')[0]!)
    })
    child.on('error', (error) => reject(failure(`could not be started: ${error.message}`)))
    child.on('close', (code, signal) => reject(failure(`ended before it was ready (${signal ?? `code ${code}`})`)))
    timer = setTimeout(() => reject(failure(`was not ready within ${timeoutMs} ms`)), Math.min(timeoutMs, timerMsMax))
  }).finally(() => clearTimeout(timer))
  const { url, key } = JSON.parse(line)
  return { url, key }
}

function read(stream: Readable, onPart: (part: string) => void): void {
  stream.setEncoding('utf8').on('data', onPart)
  stream.on('error', () => {}) // the end of the process says what is to be said
}

/** A sandbox that runs does not keep this process running. */
function letGo(child: ChildProcess): void {
  child.unref()
  for (const stream of [child.stdout, child.stderr]) (stream as Socket).unref()
}
