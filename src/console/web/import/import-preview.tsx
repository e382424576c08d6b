import { href } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { number } from '../text/format.ts'
import { counted, t } from '../text/texts.ts'
import type { Results, RowResult } from './import-jobs.ts'
import type { Mapping } from './import-plan.ts'
import type { Sheet } from './sheet.ts'

const firstMax = 5
/** The maximum number of rows whose record exists. */
const shownMax = 10

interface ImportPreviewProps {
  of: string
  sheet: Sheet
  mapping: Mapping
  results: Results
}

/** The first rows that can be imported, and some whose record exists. */
export function ImportPreview({ of, sheet, mapping, results }: ImportPreviewProps) {
  const columns = sheet.shown.map((name, at) => ({ name, at })).filter(({ at }) => mapping[at] !== undefined)
  const shown = shownRows(results)
  if (shown.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section class="scroll" aria-label={t('Rows')} tabIndex={0}>
      <table>
        {shown.length < results.size && (
          <caption class="muted small">
            {t('{shown} of {rows} are shown: the first ones, and some that exist already.', {
              shown: number(shown.length),
              rows: counted('{n} row|{n} rows', results.size),
            })}
          </caption>
        )}
        <thead>
          <tr>
            <th scope="col">{t('Row')}</th>
            <th scope="col">{t('Result')}</th>
            {columns.map(({ name, at }) => (
              <th key={at} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row}>
              <th scope="row" class="number">
                {sheet.lines[row]}
              </th>
              <td>
                <Expected of={of} result={results.get(row)!} />
              </td>
              {columns.map(({ at }) => (
                <td key={at}>{sheet.rows[row]![at]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function shownRows(results: Results): number[] {
  const sorted = [...results.keys()].sort((a, b) => a - b)
  const rows = sorted.filter((row) => results.get(row)!.outcome !== 'failed')
  const of = (isShown: (result: RowResult) => boolean) => rows.filter((row) => isShown(results.get(row)!))
  const existing = of(({ outcome }) => outcome === 'updated' || outcome === 'unchanged').slice(0, shownMax)
  return [...new Set([...rows.slice(0, firstMax), ...existing])].sort((a, b) => a - b)
}

/** What would happen to a row. A record that the file itself would create has no page. */
function Expected({ of, result: { outcome, id } }: { of: string; result: RowResult }) {
  if (outcome === 'created') return <span class="badge good">{t('New')}</span>
  if (id === null) return <span class="badge">{t('Repeats a row')}</span>
  return (
    <a href={href(`${resourceOf(of).page}/${id}`)} target="_blank" rel="noopener">
      {t('Exists')}
    </a>
  )
}
