import { missingFields } from '../../../files/shape.ts'
import type { Sheet } from '../csv.ts'
import { plural } from '../format.ts'
import { droppedNames, type Mapping, type Plan, type Slot, slotsOf } from '../import-plan.ts'

interface ColumnMappingProps {
  plan: Plan
  mapping: Mapping
  onMapping: (mapping: Mapping) => void
  onBack: () => void
  onNext: () => void
}

/** Maps the columns of a file to fields. */
export function ColumnMapping({ plan, mapping, onMapping, onBack, onNext }: ColumnMappingProps) {
  const { sheet, shape, match, skipped } = plan
  const slots = slotsOf(shape, [...mapping, ...match.paths])
  const missing = missingFields(shape, mapping)
  const dropped = droppedNames(plan, mapping)
  return (
    <div class="card">
      <header>
        <h2>
          {sheet.name} <span class="muted number">{sheet.rows.length.toLocaleString()} rows</span>
        </h2>
      </header>
      {match.source && (
        <p class="body" role="status">
          Recognized as a file of {match.source}. You can change each field.
          {skipped > 0 && ` ${plural(skipped, 'row')} marked as deleted will be skipped.`}
        </p>
      )}
      <ColumnsTable {...{ sheet, slots, mapping, onMapping }} />
      <div class="body stack">
        {missing.length > 0 && (
          <p class="notice warn">Required, but without a column: {missing.map(({ label }) => label).join(', ')}</p>
        )}
        {dropped.length > 0 && (
          <p class="notice warn">These columns have data that will not be imported: {dropped.join(', ')}</p>
        )}
        <div class="actions">
          <button type="button" class="button" onClick={onBack}>
            Another file
          </button>
          <button type="button" class="button primary" onClick={onNext}>
            Check the rows
          </button>
        </div>
      </div>
    </div>
  )
}

interface ColumnsTableProps extends Pick<ColumnMappingProps, 'mapping' | 'onMapping'> {
  sheet: Sheet
  slots: Slot[]
}

function ColumnsTable({ sheet, slots, mapping, onMapping }: ColumnsTableProps) {
  const choose = (at: number, name: string) =>
    onMapping(mapping.map((slot, each) => (each === at ? name || undefined : slot === name ? undefined : slot)))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section class="scroll" aria-label="Columns" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">Field</th>
            <th scope="col" class="p2">
              For example
            </th>
          </tr>
        </thead>
        <tbody>
          {sheet.columns.map((column, at) => (
            <ColumnRow
              key={at}
              {...{ column, slots }}
              chosen={mapping[at]}
              samples={samplesOf(sheet, at)}
              onChoose={(name) => choose(at, name)}
            />
          ))}
        </tbody>
      </table>
    </section>
  )
}

const samplesMax = 3

function samplesOf({ rows }: Sheet, at: number): string {
  return rows
    .map((row) => row[at]!)
    .filter((cell) => cell !== '')
    .slice(0, samplesMax)
    .join(', ')
}

interface ColumnRowProps {
  column: string
  slots: Slot[]
  chosen: string | undefined
  samples: string
  onChoose: (name: string) => void
}

function ColumnRow({ column, slots, chosen, samples, onChoose }: ColumnRowProps) {
  return (
    <tr>
      <th scope="row">{column}</th>
      <td>
        <select
          class="input"
          aria-label={`Field for ${column}`}
          value={chosen ?? ''}
          onChange={(event) => onChoose(event.currentTarget.value)}
        >
          <option value="">Leave out</option>
          {slots.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </td>
      <td class="muted p2">{samples}</td>
    </tr>
  )
}
