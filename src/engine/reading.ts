import type { Reader } from '../store/reader.ts'

/**
 * A read that may take long. Its question and its answer are plain data, so that any thread can run it; the thread finds it by its name
 * (jobs/readings.ts).
 */
export interface Reading<Question, Answer> {
  readonly name: string
  /** Calls `proceed` now and then: it throws if the read must stop. */
  run(reader: Reader, question: Question, proceed: () => void): Answer | Promise<Answer>
}

/** A question, with the name of its reading. */
export interface Asked {
  readonly reading: string
  readonly question: unknown
}

/** Runs a reading on another thread, or here if there is none. Throws 503 SERVICE_UNAVAILABLE if it waits or runs for too long. */
export type Read = <Question, Answer>(reading: Reading<Question, Answer>, question: Question) => Promise<Answer>
