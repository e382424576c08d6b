import type { RowOutcome } from '../../features/imports/results.ts'

export interface Outcome extends Record<RowOutcome, number> {
  /** The ids of the import's jobs; none of a dry run. */
  jobs: string[]
  /** Of a dry run: the rows that would be created, although a record or an earlier row is the same in some field. */
  existing: Existing[]
}

export interface Existing {
  by: string
  rows: number
  /** The first lines, with the reasons. */
  examples: { line: number; reason: string }[]
}

/** How far an import has come. */
export interface Place {
  /** The last line whose outcome is known; 0: none. */
  line: number
  /** Whether the lines that follow are being sent. */
  isSending: boolean
  /** Their job, if its results are not known. */
  job: string | undefined
}
