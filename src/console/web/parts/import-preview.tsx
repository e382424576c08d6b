import type { Sheet } from '../csv.ts'
import type { Mapping } from '../import-plan.ts'
import type { RowFaults } from '../import-run.ts'

const firstMax = 5
const invalidMax = 50

/** The first rows, and the invalid ones with their errors. */
export function ImportPreview({ sheet, mapping, faults }: { sheet: Sheet; mapping: Mapping; faults: RowFaults }) {
  const columns = sheet.columns.map((name, at) => ({ name, at })).filter(({ at }) => mapping[at] !== undefined)
  const first = sheet.rows.slice(0, firstMax).map((_, at) => at)
  const invalid = [...faults.keys()].sort((a, b) => a - b).slice(0, invalidMax)
  const shown = [...new Set([...first, ...invalid])].sort((a, b) => a - b)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section class="scroll" aria-label="Rows" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">Result</th>
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
                {row + 2}
              </th>
              <td class="wrap">
                {faults.has(row) ? (
                  <span class="fault">{faults.get(row)!.join('; ')}</span>
                ) : (
                  <span class="badge good">Valid</span>
                )}
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
