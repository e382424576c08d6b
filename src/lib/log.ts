import { constants, fstatSync, openSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import type { Logger } from 'pino'
import { timestamp } from './clock.ts'

/** Limit of the text that waits for a slow reader of standard output. Beyond it lines are dropped, so that requests are not delayed. */
const waitingBytesMax = 16 * 2 ** 20
/** Request lines are written in batches, limited by length and time. */
const togetherLengthMin = 32_768
const togetherMs = 200

type Level = 'info' | 'warn' | 'error'

interface Output {
  logger: Logger
  /** Writes complete lines. */
  write(lines: string): void
  /** Writes the lines that wait, and returns when they are written. */
  flush(): void
  /** Writes as much of the waiting text as is read. Later text is discarded. */
  end(): void
}

let output: Output | undefined
let file: 1 | 2 = 1
let ended = false
let waiting = ''
let timer: NodeJS.Timeout | undefined

/** Loads the logger. Not loaded at every start, because that takes time; without this call, the first line loads it. */
export async function openLog(): Promise<Output> {
  if (output) return output
  const { pino } = await import('pino')
  process.once('exit', writeWaiting) // before pino flushes, also if an error ends the process
  const destination = pino.destination({
    dest: openOutput(),
    retryEAGAIN: () => !ended,
    sync: !isMainThread,
    maxLength: waitingBytesMax,
  })
  destination.on('error', () => {}) // the reader has gone
  const options = { base: null, timestamp: () => `,"time":"${now()}"`, formatters: { level: levelOf } }
  const flush = () => {
    try {
      destination.flushSync()
    } catch {
      // ignored: nobody reads the output
    }
  }
  const end = () => {
    flush()
    destination.destroy()
  }
  output = { logger: pino(options, destination), write: (lines) => destination.write(lines), flush, end }
  return output
}

/** For programs whose standard output is for other programs. To be called before the first line. */
export function logToStandardError(): void {
  file = 2
}

/** To be called before the process exits, so that it does not wait for a missing reader. */
export function endLog(): void {
  writeWaiting()
  ended = true
  output?.end()
  output = undefined
}

/** Reopens a pipe without blocking: a pipe without a reader would block a thread, and so the end of the process. */
function openOutput(): number {
  try {
    return fstatSync(file).isFIFO() ? openSync(`/dev/fd/${file}`, constants.O_WRONLY | constants.O_NONBLOCK) : file
  } catch {
    return file
  }
}

/** Writes one JSON line to standard output, or to standard error if so chosen. */
export function log(msg: string, fields: Record<string, unknown> = {}, level: Level = 'info'): void {
  if (ended) return
  if (output) {
    writeWaiting()
    output.logger[level](fields, msg)
  } else void openLog().then(() => log(msg, fields, level))
}

/** Writes a line before it returns, for work that blocks the event loop. Standard output must have been opened by `openLog`. */
export function logAtOnce(msg: string, fields: Record<string, unknown> = {}): void {
  log(msg, fields)
  output?.flush()
}

/** Like `log`, for request lines, whose fields are already JSON text. Takes a third of the time. */
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

/** An error as log fields, with its stack and its causes. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) }
  return { error: error.stack, ...(error.cause !== undefined && { cause: errorFields(error.cause) }) }
}

const levelOf = (level: string) => ({ level })

function now(): string {
  return timestamp(Date.now())
}
