import { closeSync, existsSync, openSync, writeSync } from 'node:fs'
import { OperatorError } from '../../errors.ts'
import { guardCell } from '../../lib/formula.ts'
import { reasonColumn } from './columns.ts'

/** Writes the rows that failed to a CSV file that can be corrected and imported again. The file is created with the first row. */
export interface Failures {
  readonly path: string
  add(cells: readonly string[], reasons: readonly string[]): void
  close(): void
}

/** Throws OperatorError if the file exists: it may contain corrections. */
export function openFailures(path: string, header: readonly string[]): Failures {
  if (existsSync(path))
    throw new OperatorError(`${path} already exists: choose another file with --errors, or remove it.`)
  const kept = header.flatMap((name, index) => (name === reasonColumn ? [] : [index]))
  let fd: number | undefined
  return {
    path,
    add(cells, reasons) {
      if (fd === undefined) {
        fd = openSync(path, 'wx')
        writeSync(fd, `\uFEFF${lineOf([...kept.map((index) => header[index]!), reasonColumn])}`)
      }
      writeSync(fd, lineOf([...kept.map((index) => cells[index] ?? ''), reasons.join('; ')]))
    },
    close() {
      if (fd !== undefined) closeSync(fd)
    },
  }
}

function lineOf(cells: readonly string[]): string {
  const quoted = cells
    .map(guardCell)
    .map((cell) => (/["\r\n,;\t|]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
  return `${quoted.join(',')}\r\n`
}
