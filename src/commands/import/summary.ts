import type { Found } from './prepare.ts'
import type { Outcome } from './run.ts'

/** What a dry run prints. */
export function describeFound(found: Found, { failed }: Outcome, faults: string[], what: string): string[] {
  const { source, columns, rows, skipped, duplicates, examples } = found
  const lines = [`${count(rows)} ${what} in the file${source ? ` (${source})` : ''}. Nothing was written.`]
  for (const [name, path] of Object.entries(columns)) lines.push(`  ${name} → ${path}`)
  if (skipped > 0) lines.push(`${count(skipped)} are marked as deleted and are skipped.`)
  if (duplicates > 0) lines.push(`${count(duplicates)} repeat an earlier row:`)
  for (const { row, of, by } of examples) {
    lines.push(`  line ${row}: ${by === 'email' ? 'the same email' : 'the same cells'} as line ${of}`)
  }
  if (failed > 0) lines.push(`${count(failed)} would fail:`, ...faults.map((fault) => `  ${fault}`))
  return lines
}

export function describeOutcome(
  { imported, failed, unnamed }: Outcome,
  what: string,
  errorsPath: string,
  { skipped }: Found,
): string[] {
  const except = unnamed > 0 ? `, except ${count(unnamed)} that the server did not report` : ''
  const lines = [`${count(imported)} ${what} imported.`]
  if (skipped > 0) lines.push(`${count(skipped)} are marked as deleted and were skipped.`)
  if (failed > 0) {
    lines.push(
      `${count(failed)} failed: they are in ${errorsPath} with the reasons${except}; correct it and import it.`,
    )
  }
  return lines
}

export function count(number: number): string {
  return number.toLocaleString('en')
}
