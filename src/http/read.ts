import { setImmediate as nextTurn } from 'node:timers/promises'
import { readAtOnce } from '../changes/read-at-once.ts'
import type { LongReading, Read, ReadFor, Reading, Snapshot } from '../engine/finding/reading.ts'
import type { Reader } from '../store/reader.ts'

/** Other threads that read. */
export interface ReadThreads {
  run(by: ReadFor, reading: Reading<never, unknown>, question: unknown): Promise<unknown>
  open(by: ReadFor, reading: LongReading<never>, question: unknown): Promise<Snapshot>
}

/**
 * The door for every question that may take long: here if it is quick or if there are no `threads`, otherwise on one of them. An answer from
 * there may show commits that the event loop notices in its next turn.
 */
export function readWith(reader: Reader, by: ReadFor, threads: ReadThreads | undefined): Read {
  return (<Question, Answer>(reading: Reading<Question, Answer> | LongReading<Question>, question: Question) => {
    if ('parts' in reading) return threads ? threads.open(by, reading, question) : readAtOnce(reader, reading, question)
    if (!threads || reading.isQuick?.(reader, question)) return reading.run(reader, question)
    return threads.run(by, reading, question).then(async (answer) => {
      await nextTurn()
      return answer as Answer
    })
  }) as Read
}
