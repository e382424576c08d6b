import { constants, fstatSync, openSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import type { Logger } from 'pino'

/** What waits for a reader of standard output that is too slow; past it, lines are dropped rather than requests held up. */
const waitingBytesMax = 16 * 2 ** 20
/** Lines of requests are written together: so much text, or that of so long. */
const togetherLengthMin = 16_384
const togetherMs = 200

export type Level = 'info' | 'warn' | 'error'

interface Output {
  logger: Logger
  /** Takes whole lines. */
  write(lines: string): void
  /** Writes what waits, as far as somebody reads it; then nothing more. */
  end(): void
}

let output: Output | undefined
let ended = false
let waiting = ''
let timer: NodeJS.Timeout | undefined

/** Loads what writes the log, which is too much for every start. Until then, the first line does. */
export async function openLog(): Promise<Output> {
  if (output) return output
  const { pino } = await import('pino')
  process.once('exit', writeWaiting) // before pino writes what it has, also where an error ends the process
  const destination = pino.destination({
    dest: standardOutput(),
    retryEAGAIN: () => !ended,
    sync: !isMainThread,
    maxLength: waitingBytesMax,
  })
  destination.on('error', () => {}) // nobody reads it any more
  const options = { base: null, timestamp: () => `,"time":"${now()}"`, formatters: { level: levelOf } }
  const end = () => {
    try {
      destination.flushSync()
    } catch {
      // nobody reads it
    }
    destination.destroy()
  }
  output = { logger: pino(options, destination), write: (lines) => destination.write(lines), end }
  return output
}

/** To be called before the process is ended: it must not wait for a reader that there is not. */
export function endLog(): void {
  writeWaiting()
  ended = true
  output?.end()
  output = undefined
}

/** A pipe that nobody reads would hold up a thread, and with it the end of the process, unless it is opened anew in this way. */
function standardOutput(): number {
  try {
    return fstatSync(1).isFIFO() ? openSync('/dev/stdout', constants.O_WRONLY | constants.O_NONBLOCK) : 1
  } catch {
    return 1
  }
}

/** Writes one JSON line to standard output. */
export function log(msg: string, fields: Record<string, unknown> = {}, level: Level = 'info'): void {
  if (ended) return
  if (output) {
    writeWaiting()
    output.logger[level](fields, msg)
  } else void openLog().then(() => log(msg, fields, level))
}

/** The same for a line of every request, whose fields are JSON text already: a third of the time. */
export function logText(msg: string, fields: string, level: Level): void {
  waiting += `{"level":"${level}","time":"${now()}",${fields},"msg":"${msg}"}\n`
  if (waiting.length >= togetherLengthMin) writeWaiting()
  else timer ??= setTimeout(writeWaiting, togetherMs).unref()
}

function writeWaiting(): void {
  if (waiting !== '') output?.write(waiting)
  waiting = ''
  clearTimeout(timer)
  timer = undefined
}

/** An error as log fields, with its stack and the errors behind it. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) }
  return { error: error.stack, ...(error.cause !== undefined && { cause: errorFields(error.cause) }) }
}

const levelOf = (level: string) => ({ level })

let lastMs = 0
let lastText = ''

/** Many lines are of the same millisecond. */
function now(): string {
  const ms = Date.now()
  if (ms !== lastMs) lastText = new Date(ms).toISOString()
  lastMs = ms
  return lastText
}
