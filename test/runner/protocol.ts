/** A test that has ended, as a worker reports it. */
export interface EndedTest {
  /** The names from the outermost test to this one, separated by ` > `. */
  name: string
  /** 0 for the outermost tests of a file. */
  nesting: number
  isSuite: boolean
  passed: boolean
  seconds: number
  /** Why it was skipped. */
  skip?: string
  /** The error of a test that failed. Absent if only tests within it failed. */
  error?: string
  /** The last lines of the logs of its servers, if it failed. */
  log?: string[]
}

/** What a worker sends: that an outermost test starts, that any test has ended, that nothing caught an error, and that all tests of the file have ended. */
export type WorkerMessage =
  | { type: 'started'; name: string }
  | ({ type: 'ended' } & EndedTest)
  | { type: 'failed'; error: string }
  | { type: 'done' }

/** What a worker is told: the path of the file whose tests it runs. */
export interface WorkerRequest {
  file: string
}

/** The test that a worker adds after those of a file. */
export const lastTest = 'The tests of this file have ended'
