import type { Resource } from '../../engine/records/define.ts'
import { nounsOf } from '../../lib/plural.ts'
import type { Outcome, Place } from './outcome.ts'
import type { Found, Remarks } from './prepare.ts'

type Counts = Pick<Outcome, 'created' | 'updated' | 'unchanged'>

/** What a dry run prints. */
export function describeFound(found: Found, outcome: Outcome, faults: string[], what: string): string[] {
  const { source, columns, rows, skipped } = found
  const { failed, existing } = outcome
  const lines = [`${countOf(rows, what)} in the file${source ? ` (${source})` : ''}. Nothing was written.`]
  for (const [name, path] of Object.entries(columns)) lines.push(`  ${name} → ${path}`)
  if (skipped > 0) lines.push(`${countOf(skipped, 'rows')} marked as deleted: skipped.`)
  lines.push(...remarkLines(found), `The import would end with ${countsText(outcome)}.`)
  lines.push(...duplicateLines(found))
  for (const { by, rows, examples } of existing.filter(({ rows }) => rows > 0)) {
    lines.push(`Rows with the ${by} of a record or an earlier row, which --match-on ${by} would update: ${count(rows)}`)
    for (const { line, reason } of examples) lines.push(`  line ${line}: ${reason}`)
  }
  if (failed > 0) lines.push(`Rows that would fail: ${count(failed)}`, ...faults.map((fault) => `  ${fault}`))
  return lines
}

export function describeOutcome(
  outcome: Outcome,
  what: string,
  { errorsPath, isMatched }: { errorsPath: string; isMatched: boolean },
  found: Found,
): string[] {
  const { skipped } = found
  const { failed } = outcome
  const lines = [`${countOf(importedOf(outcome), what)} imported${isMatched ? `: ${countsText(outcome)}` : ''}.`]
  if (skipped > 0) lines.push(`${countOf(skipped, 'rows')} marked as deleted: skipped.`)
  lines.push(...noteLines(found))
  if (failed > 0) {
    lines.push(`${count(failed)} failed: they are in ${errorsPath} with the reasons; correct it and import it.`)
  }
  return lines
}

/** What an import says about its file. */
export function noteLines(found: Found): string[] {
  return [...remarkLines(found), ...duplicateLines(found)]
}

function duplicateLines({ duplicates, examples }: Found): string[] {
  if (duplicates === 0) return []
  const lines = examples.map(
    ({ row, of, by }) => `  line ${row}: the same ${by === 'row' ? 'cells' : by} as line ${of}`,
  )
  return [`Rows that repeat an earlier one: ${count(duplicates)}`, ...lines]
}

const remarksShown = 5

/** What of the file is no part of a record. */
function remarkLines({ remarks: { above, below, group }, left_out, unmatched }: Found): string[] {
  return [
    ...remarkLine('Lines above the header, not imported', above),
    ...remarkLine('Lines below the table, not imported', below),
    ...remarkLine('Groups of contacts, not imported', group),
    ...remarkLine('Cells without a value, left empty', left_out),
    ...(unmatched > 0
      ? [
          `Rows that name an organization or a contact that does not exist: ${count(unmatched)}; the name or id is in metadata.`,
        ]
      : []),
  ]
}

function remarkLine(what: string, { count: total, examples }: Remarks): string[] {
  if (total === 0) return []
  const shown = examples.slice(0, remarksShown).map(({ line, text }) => `line ${line} (${text})`)
  return [`${what}: ${count(total)}: ${shown.join(', ')}${total > shown.length ? ', …' : ''}`]
}

const jobsShown = 10

/** What to note before an import of records that cannot be undone. */
export function finalNotes(resource: Resource): string[] {
  if (isUndoable(resource)) return []
  return [`Imported ${nounsOf(resource)} cannot be changed or deleted: their import cannot be undone.`]
}

function isUndoable({ operations }: Resource): boolean {
  return operations.includes('delete')
}

/** The jobs of an import, and how it can be taken back. */
export function describeJobs(jobs: readonly string[], resource: Resource): string {
  const more = jobs.length > jobsShown ? `, and ${count(jobs.length - jobsShown)} more (--json prints all)` : ''
  const how = isUndoable(resource)
    ? 'To take it back, undo its jobs (POST /api-v1-undo, or the Import page)'
    : `It cannot be undone, because ${nounsOf(resource)} are never deleted. Its jobs`
  return `${how}: ${jobs.slice(0, jobsShown).join(', ')}${more}`
}

/** What was done when an import stopped. */
export function describeStop(outcome: Outcome, { line, isSending, job }: Place, resource: Resource): string {
  const { failed, jobs } = outcome
  if (jobs.length === 0 && !isSending) return 'Nothing was imported.'
  const done = line > 0 ? ` after line ${line}: ${count(importedOf(outcome))} imported, ${count(failed)} failed` : ''
  const sent = `What became of the lines that follow is in ${job ? `job ${job}` : 'the last job (GET /api-v1-bulk/jobs)'}.`
  const next = job || isSending ? sent : 'To go on, import the lines that follow.'
  return [`The import stopped${done}. ${next}`, ...(jobs.length > 0 ? [`${describeJobs(jobs, resource)}.`] : [])].join(
    ' ',
  )
}

/** The number of records that did not fail. */
export function importedOf({ created, updated, unchanged }: Counts): number {
  return created + updated + unchanged
}

function countsText({ created, updated, unchanged }: Counts): string {
  return `${count(created)} created, ${count(updated)} updated, ${count(unchanged)} unchanged`
}

/** `1 organization`, `12 activities` */
function countOf(number: number, plural: string): string {
  return `${count(number)} ${number === 1 ? plural.replace(/ies$/, 'y').replace(/s$/, '') : plural}`
}

export function count(number: number): string {
  return number.toLocaleString('en')
}
