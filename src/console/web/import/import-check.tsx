import { resourceOf } from '../session/session.ts'
import { about, counted, noun, t } from '../text/texts.ts'
import { DownloadFailed } from './import-download.tsx'
import { type Fixes, ImportErrors } from './import-errors.tsx'
import type { Results, RowResult } from './import-jobs.ts'
import type { Mapping, Plan, Prepared, Slot } from './import-plan.ts'
import { ImportPreview } from './import-preview.tsx'
import { isUndoable } from './import-undo.tsx'

/** What becomes of rows whose record exists already. */
type Treatment = 'merge' | 'fill_empty' | 'skip' | 'create'

export interface Choice {
  /** What rows are matched by; undefined: none is. */
  matchOn: string | undefined
  treatment: Treatment
}

interface ImportCheckProps {
  of: string
  plan: Plan
  mapping: Mapping
  prepared: Prepared
  results: Results
  /** Whether another check is running, whose results replace these. */
  isChecking: boolean
  choice: Choice
  /** What rows can be matched by. */
  options: readonly Slot[]
  onChoice: (choice: Choice) => void
  onBack: () => void
  onBegin: () => void
  onFix: (fixes: Fixes) => void
}

/** What an import would do, before anything is written, and the choice for records that exist. */
export function ImportCheck({ of, plan, mapping, prepared, results, ...rest }: ImportCheckProps) {
  const { isChecking, choice, options, onChoice, onBack, onBegin, onFix } = rest
  const { sheet } = plan
  const name = noun(resourceOf(of).plural)
  const rows = importedRows(results, choice)
  const failures = [...results.values()].filter(({ outcome }) => outcome === 'failed').length
  const matches = matchedRows(results).length
  const duplicates = prepared.duplicates.filter(({ row, of }) => !isFailed(results, row) && !isFailed(results, of))
  return (
    <>
      <div class="check-bar row apart">
        <p role="status">
          {failures === 0
            ? counted('The row can be imported.|All {n} rows can be imported.', results.size)
            : t('{rows} can be imported, {others} cannot.', {
                rows: rowsText(results.size - failures),
                others: rowsText(failures),
              })}
          {choice.matchOn !== undefined && matches > 0 && ` ${existsText(of, matches)}.`}
        </p>
        <div class="actions">
          <button type="button" class="button" onClick={onBack}>
            {t('Change the columns')}
          </button>
          {failures > 0 && <DownloadFailed sheet={sheet} results={results} />}
          <button type="button" class="button primary" disabled={rows.length === 0 || isChecking} onClick={onBegin}>
            {t('Import {count}', { count: rowsText(rows.length) })}
          </button>
        </div>
      </div>
      {!isUndoable(of) && <p class="notice">{t('Imported {name} cannot be changed or deleted.', { name })}</p>}
      <ImportErrors key={JSON.stringify([failures, results.size])} {...{ sheet, mapping, results, onFix }} />
      {options.length > 0 && <Matching {...{ of, matches, choice, options, onChoice }} />}
      {duplicates.length > 0 && <p class="notice warn">{duplicatesText(duplicates, choice, options)}</p>}
      {prepared.left.length > 0 && <p class="notice">{leftText(prepared.left)}</p>}
      {prepared.unmatched > 0 && <p class="notice">{unmatchedText(prepared.unmatched)}</p>}
      <ImportPreview {...{ of, sheet, mapping, results }} />
    </>
  )
}

function isFailed(results: Results, row: number): boolean {
  return results.get(row)?.outcome === 'failed'
}

/** The rows whose record exists already. A row that repeats another one of the file has no id yet. */
function matchedRows(results: Results): number[] {
  const isMatched = ({ outcome, id }: RowResult) => (outcome === 'updated' || outcome === 'unchanged') && id !== null
  return [...results].flatMap(([row, result]) => (isMatched(result) ? [row] : []))
}

/** The rows that an import sends: those that can be imported, and are not left out. */
export function importedRows(results: Results, { treatment }: Choice): number[] {
  const skipped = new Set(treatment === 'skip' ? matchedRows(results) : [])
  return [...results.keys()].filter((row) => results.get(row)!.outcome !== 'failed' && !skipped.has(row))
}

function existsText(of: string, matches: number): string {
  const { label, plural: many } = resourceOf(of)
  return matches === 1
    ? about('1 row matches an existing {noun}', label)
    : about('{rows} match existing {noun}', many, { rows: rowsText(matches) })
}

const treatments: readonly [Treatment, string][] = [
  ['merge', t('Update them: the values of the file replace theirs')],
  ['fill_empty', t('Only fill their empty fields')],
  ['skip', t('Leave them as they are, and skip these rows')],
  ['create', t('Import these rows as new records')],
]

interface MatchingProps extends Pick<ImportCheckProps, 'of' | 'choice' | 'options' | 'onChoice'> {
  matches: number
}

function Matching({ of, matches, choice, options, onChoice }: MatchingProps) {
  const { matchOn, treatment } = choice
  const name = noun(resourceOf(of).plural)
  return (
    <div class="stack tight">
      <label class="field">
        <span>{t('Compare with existing {name} by', { name })}</span>
        <select
          class="input"
          value={matchOn ?? ''}
          onChange={({ currentTarget: { value } }) => onChoice({ ...choice, matchOn: value || undefined })}
        >
          {options.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
          <option value="">{t('Do not compare')}</option>
        </select>
      </label>
      {matchOn !== undefined && matches > 0 && (
        <fieldset class="stack tight">
          <legend>
            {matches === 1
              ? t('The one that exists')
              : t('The {matches} that exist', { matches: matches.toLocaleString() })}
          </legend>
          {treatments.map(([each, label]) => (
            <label class="check" key={each}>
              <input
                type="radio"
                name="treatment"
                checked={each === treatment}
                onChange={() => onChoice({ ...choice, treatment: each })}
              />
              {label}
            </label>
          ))}
        </fieldset>
      )}
    </div>
  )
}

const duplicatesShown = 10

function duplicatesText(duplicates: Prepared['duplicates'], { matchOn }: Choice, options: readonly Slot[]): string {
  const shown = duplicates.slice(0, duplicatesShown)
  const rows = shown.map(({ row, of, by }) => {
    if (by === 'row') return t('{row} (the same cells as {of})', { row, of })
    if (by === 'email') return t('{row} (the same email as {of})', { row, of })
    const { label } = options.find(({ name }) => name === by)!
    return t('{row} (the same value of {label} as {of})', { row, of, label })
  })
  const list = `${rows.join(', ')}${duplicates.length > shown.length ? ', …' : ''}`
  return matchOn !== undefined
    ? counted('{n} row repeats an earlier one: {list}|{n} rows repeat an earlier one: {list}', duplicates.length, {
        list,
      })
    : counted(
        '{n} row repeats an earlier one and will be imported again: {list}|{n} rows repeat an earlier one and will be imported again: {list}',
        duplicates.length,
        { list },
      )
}

const leftShown = 5

function leftText(left: readonly string[]): string {
  const texts = [...new Set(left)]
  const list = `${texts.slice(0, leftShown).join(', ')}${texts.length > leftShown ? ', …' : ''}`
  return counted(
    '{n} cell without a value is left empty: {list}|{n} cells without a value are left empty: {list}',
    left.length,
    { list },
  )
}

function unmatchedText(rows: number): string {
  return counted(
    '{n} row names an organization or a contact that does not exist: the name or id is in its metadata|{n} rows name organizations or contacts that do not exist: the names or ids are in their metadata',
    rows,
  )
}

function rowsText(count: number): string {
  return counted('{n} row|{n} rows', count)
}
