import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { OperatorError } from '../../errors.ts'
import type { RowResult } from '../../features/imports/results.ts'
import { writeAll } from '../../lib/write-all.ts'

/** The result of a row, by its line in the file. */
export type LineResult = RowResult & { line: number }

/** Writes the result of each row as a line of JSON. */
export interface Results {
  add(results: readonly LineResult[]): void
  close(): void
}

/** Without a path, nothing is written. Throws OperatorError if the file exists. */
export function openResults(path: string | undefined): Results {
  if (path === undefined) return { add() {}, close() {} }
  if (existsSync(path))
    throw new OperatorError(`${path} already exists: choose another file with --results, or remove it.`)
  const fd = openSync(path, 'wx')
  let isUsed = false
  return {
    add(results) {
      isUsed = true
      const sorted = results.toSorted((a, b) => a.line - b.line)
      writeAll(
        fd,
        sorted.map(({ line, outcome, id, errors }) => `${JSON.stringify({ line, outcome, id, errors })}\n`).join(''),
      )
    },
    close() {
      closeSync(fd)
      if (!isUsed) rmSync(path) // nothing was imported, and the import can be repeated
    },
  }
}
