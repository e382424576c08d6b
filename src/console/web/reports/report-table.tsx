import { Download } from 'lucide'
import type { ComponentChildren } from 'preact'
import { csvLine, guarded } from '../../../lib/csv.ts'
import { saveFile } from '../data/save-file.ts'
import { Icon } from '../parts/icon.tsx'
import { t } from '../text/texts.ts'

/** A cell of a file. */
type Plain = string | number

export interface ReportColumn<T> {
  label: string
  /** Whether it holds numbers. */
  end?: boolean
  cell(row: T): ComponentChildren
  /** The columns of the file, by their titles. */
  plain: Readonly<Record<string, (row: T) => Plain>>
}

interface ReportTableProps<T> {
  title: string
  /** The name of the file, without its extension. */
  file: string
  columns: readonly ReportColumn<T>[]
  rows: readonly (T & { key: string })[]
  /** Shown instead of the table if there are no rows. */
  empty: ComponentChildren
  /** Shown above the table. */
  children?: ComponentChildren
}

/** A report as a card with a table, which can be saved as CSV. */
export function ReportTable<T>({ title, file, columns, rows, empty, children }: ReportTableProps<T>) {
  const save = () => {
    const plain = columns.flatMap((column) => Object.entries(column.plain))
    saveCsv(file, [plain.map(([name]) => name), ...rows.map((row) => plain.map(([, of]) => of(row)))])
  }
  return (
    <section class="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {rows.length > 0 && (
          <button type="button" class="button small" aria-label={t('Save as CSV: {title}', { title })} onClick={save}>
            <Icon of={Download} /> {t('CSV')}
          </button>
        )}
      </header>
      {rows.length === 0 ? (
        empty
      ) : (
        <>
          {children && <div class="body stack tight">{children}</div>}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
          <section class="scroll report" aria-label={t('{title}: table', { title })} tabIndex={0}>
            <table>
              <Head columns={columns} />
              <tbody>
                {rows.map((row) => (
                  <tr key={row.key}>
                    {columns.map((column, at) =>
                      at === 0 ? (
                        <th key={column.label} scope="row">
                          {column.cell(row)}
                        </th>
                      ) : (
                        <td key={column.label} class={column.end ? 'end number' : ''}>
                          {column.cell(row)}
                        </td>
                      ),
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </>
      )}
    </section>
  )
}

function Head({ columns }: { columns: readonly Pick<ReportColumn<never>, 'label' | 'end'>[] }) {
  return (
    <thead>
      <tr>
        {columns.map(({ label, end }) => (
          <th key={label} scope="col" class={end ? 'end' : ''}>
            {label}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** Saves a table as a file for spreadsheet programs, which recognize UTF-8 by the mark at its beginning. No cell is a formula to them. */
function saveCsv(name: string, rows: readonly (readonly Plain[])[]): void {
  const lines = rows.map((cells) => csvLine(guarded(cells.map(String))))
  saveFile(new Blob(['\uFEFF', ...lines], { type: 'text/csv' }), `${name}.csv`)
}
