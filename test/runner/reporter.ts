import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { dropLines, keptLines } from '../support/server-log.ts'
import { lastTest, type WorkerMessage } from './protocol.ts'

/** A reporter of node:test that sends what happens to the runner, and writes nothing. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const paths = new Map<number, string>()
  for await (const { type, data } of events) {
    if (type === 'test:dequeue') {
      const parent = data.nesting > 0 && paths.get(data.parentId!)
      paths.set(data.testId, parent ? `${parent} > ${data.name}` : data.name)
      if (data.nesting > 0) continue
      dropLines()
      if (data.name !== lastTest) send({ type: 'started', name: data.name })
    } else if (type === 'test:complete') {
      if (data.name === lastTest) {
        paths.clear()
        send({ type: 'done' })
      } else send({ type: 'ended', ...endOf(data, paths.get(data.testId)!) })
    }
  }
  yield* []
}

type Completed = Extract<TestEvent, { type: 'test:complete' }>['data']

function endOf(
  { nesting, details, skip }: Completed,
  name: string,
): Omit<Extract<WorkerMessage, { type: 'ended' }>, 'type'> {
  const { passed, duration_ms, type, error } = details
  const isOwn = error && (error as { failureType?: string }).failureType !== 'subtestsFailed'
  return {
    ...{ name, nesting, passed, isSuite: type === 'suite', seconds: duration_ms / 1000 },
    ...(skip && { skip: skip === true ? 'no reason is given' : skip }),
    ...(isOwn && { error: inspect(error.cause ?? error), log: keptLines() }),
  }
}

function send(message: WorkerMessage): void {
  if (process.connected) process.send!(message)
}
