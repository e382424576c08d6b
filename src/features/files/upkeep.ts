import type { Contents } from '../../content/contents.ts'
import { dayMs, minuteMs } from '../../lib/clock.ts'
import { errorFields, log } from '../../lib/log.ts'
import type { Store } from '../../store/store.ts'
import { retryRemovals, sweepContent } from './sweep.ts'

/**
 * Repeats failed removals of content each minute, and sweeps it each day. Content of the last day stays. On the event loop, whose writes are
 * on disk, and in the log, before content is removed. `path`: of the database.
 */
export function startContentUpkeep(store: Store, contents: Contents, path: string): { stop(): Promise<void> } {
  let sweepDueMs = performance.now()
  let running: Promise<void> | undefined
  const stopping = new AbortController()
  const timer = setInterval(run, minuteMs)
  run()
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }

  function run(): void {
    running ??= runOnce()
      .catch((error) => log('unused content was not removed', errorFields(error), 'error'))
      .finally(() => {
        running = undefined
      })
  }

  async function runOnce(): Promise<void> {
    await retryRemovals(store, contents, stopping.signal)
    if (stopping.signal.aborted || performance.now() < sweepDueMs) return
    sweepDueMs = performance.now() + dayMs
    const { removed, bytes } = await sweepContent(store, contents, { path, beforeMs: Date.now() - dayMs })
    if (removed > 0) log('removed unused content', { removed, bytes })
  }
}
