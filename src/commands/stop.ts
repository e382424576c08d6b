import { errorFields, log } from '../lib/log.ts'

/** Runs `stop` at the first SIGTERM or SIGINT and exits 0; a second one ends at once. */
export function onStopSignal(stop: () => Promise<void>): void {
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(130)
      stopping = true
      stop().then(
        () => process.exit(0),
        (error) => {
          log('stopping failed', errorFields(error))
          process.exit(1)
        },
      )
    })
  }
}
