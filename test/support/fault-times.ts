import { syncBuiltinESMExports } from 'node:module'
import type { TestContext } from 'node:test'
import timers, { setTimeout as delay } from 'node:timers/promises'

// Time that a test simulates, and all its timers besides the limits of `wait.ts`. No test waits with them for something to happen.

/** A network, a disk or a program that answers late. */
export async function latency(ms: number): Promise<void> {
  await delay(ms)
}

/** How long a fault lasts: nothing tells when it has lasted longer than a lease. */
export async function lasting(ms: number): Promise<void> {
  await delay(ms)
}

/** How long a process or a thread lives before it is killed, which may be at any moment of its work. */
export async function lifetime(ms: number): Promise<void> {
  await delay(ms)
}

/** The source of a program that does nothing until it is ended. */
export const endless = 'setInterval(() => {}, 60_000)'

/** Notes how long anything waits in this process from now on. */
export function watchPauses(t: TestContext): readonly number[] {
  const pauses: number[] = []
  const { setTimeout: wait } = timers
  const noted = t.mock.method(timers, 'setTimeout', (...args: Parameters<typeof wait>) => {
    pauses.push(Number(args[0]))
    return wait(...args)
  })
  syncBuiltinESMExports()
  t.after(() => {
    noted.mock.restore()
    syncBuiltinESMExports()
  })
  return pauses
}
