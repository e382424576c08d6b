import { endLog, errorFields, log } from '../lib/log.ts'

/**
 * On the first SIGTERM or SIGINT runs all steps in order, even if one fails, then exits. A second signal exits immediately. Returns a function
 * that does the same.
 */
export function onStopSignal(steps: (() => Promise<void> | void)[]): () => void {
  let stopping = false
  const stop = () => {
    if (stopping) end(130)
    stopping = true
    runAll(steps).then(() => end(0))
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
  return stop
}

export function end(code: number): never {
  endLog()
  process.exit(code)
}

async function runAll(steps: (() => Promise<void> | void)[]): Promise<void> {
  for (const step of steps) {
    try {
      await step()
    } catch (error) {
      log('a shutdown step failed', errorFields(error), 'error')
    }
  }
}
