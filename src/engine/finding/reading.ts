import type { Shown } from '../../store/log-position.ts'
import type { Reader } from '../../store/reader.ts'
import type { Viewer } from '../../store/visibility.ts'

/**
 * A read that may take long. Its question and its answer are plain data, so that any thread can run it; the thread finds it by its name
 * (threads/readings.ts; usual ones in threads/read-thread.ts).
 */
export interface Reading<Question, Answer> {
  readonly name: string
  /** Whether the event loop may run it, because even the worst case is short. Default: no. */
  isQuick?(reader: Reader, question: Question): boolean
  /** What the client can do if it takes too long. */
  advice?(question: Question): string
  /** On another thread, `proceed` is called now and then, also by `alive()` in SQL: it throws if the read must stop. */
  run(reader: Reader, question: Question, proceed?: () => void): Answer | Promise<Answer>
}

/** A read of one moment that is too long for one answer. It is read in parts while they are sent. */
export interface LongReading<Question> {
  readonly name: string
  parts(reader: Reader, question: Question): Iterable<string>
  /** What the client can do if all parts must be read at once, and are too long for that. */
  readonly advice: string
}

/** The lines of one moment. */
export interface Snapshot {
  /** The number of the newest change. */
  seq: number
  /** Its lines, after `head`. Reading them may throw. Ending the iteration early frees what they need. */
  read(head: string): AsyncIterable<string>
}

/**
 * Runs a reading where it belongs: here if it is quick, otherwise on another thread, if there is one. Throws 503 SERVICE_UNAVAILABLE if it
 * waits or runs for too long.
 */
export interface Read {
  <Question, Answer>(reading: Reading<Question, Answer>, question: Question): Answer | Promise<Answer>
  <Question>(reading: LongReading<Question>, question: Question): Promise<Snapshot>
}

/** Whose workspace is read, and for what. */
export interface ReadFor {
  companyId: string
  workspaceId: number
  viewer: Viewer
  /** The id of the request. */
  cause?: string | undefined
  /** Notes the position of what is shown. */
  shown?: Shown | undefined
}
