import { closeSync, existsSync, openSync, writeSync } from 'node:fs'
import { OperatorError } from '../../errors.ts'
import { reasonColumn } from '../../files/match.ts'
import { csvLine, guarded } from '../../lib/csv.ts'

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

/** Throws OperatorError if the file exists: it may contain corrections. */
export function openFailures(path: string, header: readonly string[]): Failures {
  if (existsSync(path))
    throw new OperatorError(`${path} already exists: choose another file with --errors, or remove it.`)
  const kept = header.flatMap((name, index) => (name === reasonColumn ? [] : [index]))
  let fd: number | undefined
  return {
    add({ cells }, reasons) {
      if (fd === undefined) {
        fd = openSync(path, 'wx')
        writeSync(fd, `\uFEFF${csvLine(guarded([...kept.map((index) => header[index]!), reasonColumn]))}`)
      }
      writeSync(fd, csvLine(guarded([...kept.map((index) => cells[index] ?? ''), reasons.join('; ')])))
    },
    close() {
      if (fd !== undefined) closeSync(fd)
    },
  }
}
