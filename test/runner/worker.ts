// Runs the tests of the files that the runner names, one after the other, so that Kontor's modules and the browser are loaded once.
import { on } from 'node:events'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { lastTest, type WorkerMessage, type WorkerRequest } from './protocol.ts'

for await (const [{ file }] of on(process, 'message', { close: ['disconnect'] }) as AsyncIterable<[WorkerRequest]>) {
  await import(file).catch((error) => {
    const failure = { name: 'The file can be loaded', nesting: 0, isSuite: false, passed: false, seconds: 0 }
    process.send!({ type: 'ended', ...failure, error: inspect(error) } satisfies WorkerMessage)
  })
  await test(lastTest, () => {}) // outermost tests run one after the other
}
