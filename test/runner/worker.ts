// Runs the tests of the files that the runner names, one after the other, so that Kontor's modules and the browser are loaded once.
import { on } from 'node:events'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { lastTest, type WorkerMessage, type WorkerRequest } from './protocol.ts'

for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, fail)

for await (const [{ file }] of on(process, 'message', { close: ['disconnect'] }) as AsyncIterable<[WorkerRequest]>) {
  await import(file).catch(fail)
  await test(lastTest, () => {}) // outermost tests run one after the other
}

function fail(error: unknown): void {
  if (process.connected) process.send!({ type: 'failed', error: inspect(error) } satisfies WorkerMessage)
}
