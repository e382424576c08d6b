import { endLog, errorFields, log } from '../lib/log.ts'

/** Runs the steps in order at the first SIGTERM or SIGINT, each whatever became of the others; a second signal ends at once. */
export function onStopSignal(steps: (() => Promise<void> | void)[]): void {
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) end(130)
      stopping = true
      runAll(steps).then(() => end(0))
    })
  }
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
      log('a step of stopping failed', errorFields(error), 'error')
    }
  }
}
