import { useState } from 'preact/hooks'
import { counted, t } from '../text/texts.ts'
import type { Results } from './import-jobs.ts'
import type { Mapping } from './import-plan.ts'
import type { Sheet } from './sheet.ts'

const samplesMax = 5

/** The cells that were fixed, by row. */
export type Fixes = ReadonlyMap<number, readonly string[]>

interface ImportErrorsProps {
  sheet: Sheet
  mapping: Mapping
  results: Results
  onFix: (fixes: Fixes) => void
}

/** The errors by kind, the most frequent first, with some of their rows, whose cells can be fixed in their places. */
export function ImportErrors({ sheet, mapping, results, onFix }: ImportErrorsProps) {
  const [fixes, setFixes] = useState<Fixes>(new Map())
  const kinds = kindsOf(results)
  if (kinds.length === 0) return null
  const change = (row: number, at: number, cell: string) => {
    const cells = (fixes.get(row) ?? sheet.rows[row]!).map((each, index) => (index === at ? cell : each))
    setFixes(new Map(fixes).set(row, cells))
  }
  return (
    <section class="stack" aria-label={t('Errors')}>
      {kinds.map(({ error, rows }) => (
        <details key={error} open={kinds.length === 1 || undefined}>
          <summary>
            <span class="fault">{error}</span>{' '}
            <span class="muted number">{counted('{n} row|{n} rows', rows.length)}</span>
          </summary>
          <Samples rows={rows.slice(0, samplesMax)} {...{ sheet, mapping, fixes }} onChange={change} />
        </details>
      ))}
      {fixes.size > 0 && (
        <div>
          <button type="button" class="button" onClick={() => onFix(fixes)}>
            {t('Check again')}
          </button>
        </div>
      )}
    </section>
  )
}

interface Kind {
  /** The error of its first row. */
  error: string
  rows: number[]
}

/** The rows that fail, by what is wrong with them. Errors that differ only in numbers and quoted values are of one kind. */
function kindsOf(results: Results): Kind[] {
  const kinds = new Map<string, Kind>()
  for (const [row, { outcome, errors }] of [...results].sort(([a], [b]) => a - b)) {
    if (outcome !== 'failed') continue
    for (const error of new Set(errors)) {
      const name = error.replace(/[“„"][^”“"]*[”“"]|\d+/gu, '…')
      const kind = kinds.get(name) ?? { error, rows: [] }
      if (kind.rows.at(-1) !== row) kind.rows.push(row)
      kinds.set(name, kind)
    }
  }
  return [...kinds.values()].sort((a, b) => b.rows.length - a.rows.length)
}

interface SamplesProps {
  rows: readonly number[]
  sheet: Sheet
  mapping: Mapping
  fixes: Fixes
  onChange: (row: number, at: number, cell: string) => void
}

function Samples({ rows, sheet, mapping, fixes, onChange }: SamplesProps) {
  const columns = sheet.shown.map((name, at) => ({ name, at })).filter(({ at }) => mapping[at] !== undefined)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section class="scroll" aria-label={t('Rows')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Row')}</th>
            {columns.map(({ name, at }) => (
              <th key={at} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              <th scope="row" class="number">
                {sheet.lines[row]}
              </th>
              {columns.map(({ name, at }) => (
                <td key={at} class="edited">
                  <input
                    class="input"
                    aria-label={t('Row {row}: {name}', { row: sheet.lines[row]!, name })}
                    value={(fixes.get(row) ?? sheet.rows[row]!)[at]}
                    onInput={({ currentTarget: { value } }) => onChange(row, at, value)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
