import type { TestContext } from 'node:test'
import { openLog } from '../../src/lib/log.ts'

/** Counts the errors that are logged with a message. */
export async function errorsLogged(t: TestContext): Promise<(msg: string) => number> {
  const { logger } = await openLog()
  const { mock } = t.mock.method(logger, 'error', () => {})
  return (msg) => mock.calls.filter(({ arguments: logged }) => (logged as unknown[])[1] === msg).length
}
