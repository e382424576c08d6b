import { isMainThread } from 'node:worker_threads'
import type { Logger } from 'pino'

/** What waits for a reader of standard output that is too slow; past it, lines are dropped rather than requests held up. */
const waitingBytesMax = 16 * 2 ** 20
/** Lines of requests are written together: these many bytes, or those of so long. */
const togetherBytes = 4096
const togetherMs = 200

export type Level = 'info' | 'warn' | 'error'

interface Output {
  logger: Logger
  /** Takes whole lines. */
  write(line: string): void
}

let output: Output | undefined

/** Loads what writes the log, which is too much for every start. Until then, the first line does. */
export async function openLog(): Promise<Output> {
  if (output) return output
  const { pino } = await import('pino')
  const together = { minLength: togetherBytes, periodicFlush: togetherMs }
  const destination = pino.destination({
    dest: 1,
    sync: !isMainThread,
    maxLength: waitingBytesMax,
    ...(isMainThread && together),
  })
  destination.on('error', () => {}) // nobody reads it any more
  const options = { base: null, timestamp: () => `,"time":"${now()}"`, formatters: { level: levelOf } }
  output = { logger: pino(options, destination), write: (line) => destination.write(line) }
  return output
}

/** Writes one JSON line to standard output. */
export function log(msg: string, fields: Record<string, unknown> = {}, level: Level = 'info'): void {
  if (output) {
    output.logger[level](fields, msg)
    output.logger.flush()
  } else void openLog().then(() => log(msg, fields, level))
}

/** The same for a line of every request, whose fields are JSON text already: a third of the time. */
export function logText(msg: string, fields: string, level: Level): void {
  output?.write(`{"level":"${level}","time":"${now()}",${fields},"msg":"${msg}"}\n`)
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
