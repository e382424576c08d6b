import type { Found } from './prepare.ts'
import type { Outcome } from './run.ts'

type Counts = Pick<Outcome, 'created' | 'updated' | 'unchanged'>

/** What a dry run prints. */
export function describeFound(found: Found, outcome: Outcome, faults: string[], what: string): string[] {
  const { source, columns, rows, skipped, duplicates, examples } = found
  const { failed, existing } = outcome
  const lines = [`${count(rows)} ${what} in the file${source ? ` (${source})` : ''}. Nothing was written.`]
  for (const [name, path] of Object.entries(columns)) lines.push(`  ${name} → ${path}`)
  if (skipped > 0) lines.push(`${count(skipped)} are marked as deleted and are skipped.`)
  lines.push(`The import would end with ${countsText(outcome)}.`)
  if (duplicates > 0) lines.push(`${count(duplicates)} repeat an earlier row:`)
  for (const { row, of, by } of examples) {
    lines.push(`  line ${row}: ${by === 'email' ? 'the same email' : 'the same cells'} as line ${of}`)
  }
  for (const { by, rows, examples } of existing.filter(({ rows }) => rows > 0)) {
    lines.push(`${count(rows)} have the ${by} of a record or an earlier row; --match-on ${by} would update it:`)
    for (const { line, reason } of examples) lines.push(`  line ${line}: ${reason}`)
  }
  if (failed > 0) lines.push(`${count(failed)} would fail:`, ...faults.map((fault) => `  ${fault}`))
  return lines
}

export function describeOutcome(
  outcome: Outcome,
  what: string,
  { errorsPath, isMatched }: { errorsPath: string; isMatched: boolean },
  { skipped }: Found,
): string[] {
  const { failed } = outcome
  const lines = [`${count(importedOf(outcome))} ${what} imported${isMatched ? `: ${countsText(outcome)}` : ''}.`]
  if (skipped > 0) lines.push(`${count(skipped)} are marked as deleted and were skipped.`)
  if (failed > 0) {
    lines.push(`${count(failed)} failed: they are in ${errorsPath} with the reasons; correct it and import it.`)
  }
  return lines
}

/** The number of records that did not fail. */
export function importedOf({ created, updated, unchanged }: Counts): number {
  return created + updated + unchanged
}

function countsText({ created, updated, unchanged }: Counts): string {
  return `${count(created)} created, ${count(updated)} updated, ${count(unchanged)} unchanged`
}

export function count(number: number): string {
  return number.toLocaleString('en')
}
