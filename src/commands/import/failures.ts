import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { OperatorError } from '../../errors.ts'
import { failedRows } from '../../files/failed-rows.ts'
import { csvLine, guarded } from '../../lib/csv.ts'
import { writeAll } from '../../lib/write-all.ts'

const shownCells = 3

interface FailedRow {
  readonly line: number
  readonly cells: readonly string[]
}

/** Writes the rows that failed to a CSV file that can be corrected and imported again. The file is created with the first row. */
export interface Failures {
  add(row: FailedRow, reasons: readonly string[]): void
  close(): void
}

/** Keeps the first failed rows of a dry run, as text. */
export function listFailures(list: string[], max: number): Failures {
  return {
    add({ line, cells }, reasons) {
      if (list.length === max) return
      list.push(`line ${line} (${cells.filter(Boolean).slice(0, shownCells).join(', ')}): ${reasons.join('; ')}`)
    },
    close() {},
  }
}

/** Throws OperatorError if the file exists: it may contain corrections. Throws if it cannot be written: the rows that fail would be lost. */
export function openFailures(path: string, header: readonly string[]): Failures {
  if (existsSync(path))
    throw new OperatorError(`${path} already exists: choose another file with --errors, or remove it.`)
  requireWritable(path)
  const failed = failedRows(header)
  let fd: number | undefined
  return {
    add({ cells }, reasons) {
      if (fd === undefined) {
        fd = openSync(path, 'wx')
        writeAll(fd, `\uFEFF${csvLine(guarded(failed.header))}`)
      }
      writeAll(fd, csvLine(guarded(failed.row(cells, reasons))))
    },
    close() {
      if (fd !== undefined) closeSync(fd)
    },
  }
}

/** A file that stayed behind would be taken for one with corrections. */
function requireWritable(path: string): void {
  closeSync(openSync(path, 'wx'))
  rmSync(path)
}
