import type { TestContext } from 'node:test'
import type { Writer } from '../../src/store/reader.ts'
import type { ApiResponse } from '../support/client.ts'
import { type Server, start } from '../support/start.ts'
import { until } from '../support/wait.ts'
import { heldRewrite } from './held-rewrite.ts'

/** A server in which a change can happen between the admission of a request and its transaction. */
export interface Overtaken extends Server {
  /** Admits the request and queues its write after `change` and before `last`, all in one transaction. */
  overtake<T = ApiResponse>(
    request: () => Promise<T>,
    change: (tx: Writer) => unknown,
    last?: (tx: Writer) => unknown,
  ): Promise<T>
}

export async function serveOvertaken(t: TestContext): Promise<Overtaken> {
  const log = heldRewrite()
  const server = await start(t, { durability: log.durability, work: 'nowhere' })
  return {
    ...server,
    async overtake(request, change, last) {
      log.begin()
      const changing = server.store.writeAccess((tx) => void change(tx))
      await log.started()
      Atomics.store(server.store.writeAsked, 0, 0)
      const responding = request()
      await until('the request asks to write', () => Atomics.load(server.store.writeAsked, 0) !== 0)
      const ending = server.store.writeUsage((tx) => void last?.(tx))
      const now = performance.now()
      const stopped = t.mock.method(performance, 'now', () => now) // a transaction that takes long leaves writes to the next
      log.end()
      await Promise.allSettled([changing, ending])
      stopped.mock.restore()
      return responding
    },
  }
}
