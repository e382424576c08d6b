import { setTimeout as delay } from 'node:timers/promises'
import { errorFields, log } from '../../lib/log.ts'
import type { Store } from '../../store/store.ts'
import { hasErased, removeErased } from './stored/removal.ts'
import { webhookErased } from './webhook.ts'

/** Between two transactions, so that other writes do not wait for long. */
const pauseMs = 10

/** Removes what erased webhooks have sent, in parts. The sweep removes what is left after an interruption. */
export function startRemoval(store: Store): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let running = Promise.resolve()
  store.listen(webhookErased, (workspaceId) => {
    running = running.then(() => removeAll(store, workspaceId, stopping.signal)).catch(failed)
  })
  return {
    stop() {
      stopping.abort()
      return running
    },
  }
}

/** Removes what erased webhooks of a workspace have sent. `signal` ends it early. */
export async function removeAll(store: Store, workspaceId: number, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && hasErased(store.workspace(workspaceId))) {
    await store.write(workspaceId, removeErased)
    await delay(pauseMs)
  }
}

function failed(error: unknown): void {
  log('the deliveries of an erased webhook were not removed', errorFields(error), 'error')
}
