import { useMemo, useState } from 'preact/hooks'
import type { Hint } from '../../../files/column-hints.ts'
import { missingFields } from '../../../files/shape.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { counted, t } from '../text/texts.ts'
import { ImportEncoding } from './import-encoding.tsx'
import { ImportNotation } from './import-notation.tsx'
import { droppedNames, keptOutcome, type Mapping, type Plan, type Slot, slotsOf, undecidedIn } from './import-plan.ts'
import { ImportRemarks } from './import-remarks.tsx'
import type { FileRead, Sheet } from './sheet.ts'

interface ColumnMappingProps {
  read: FileRead
  /** Throws Error if the file is not in the encoding. */
  onEncoding: (name: string) => void
  plan: Plan
  onNotation: (notation: Hint) => void
  mapping: Mapping
  onMapping: (mapping: Mapping) => void
  onBack: () => void
  onNext: () => void
}

/** Maps the columns of a file to fields. */
export function ColumnMapping({ read, plan, mapping, onEncoding, onNotation, ...rest }: ColumnMappingProps) {
  const { onMapping, onBack, onNext } = rest
  const [error, setError] = useState<Error>()
  const decode = (name: string) => {
    setError(undefined)
    try {
      onEncoding(name)
    } catch (reason) {
      setError(reason as Error)
    }
  }
  const { sheet, shape, match, skipped } = plan
  const slots = slotsOf(shape, [...mapping, ...match.paths])
  const missing = missingFields(shape, mapping)
  const dropped = droppedNames(plan, mapping)
  const outcome = keptOutcome(plan, mapping)
  const undecided = useMemo(() => undecidedIn(plan, mapping), [plan.sheet, mapping])
  return (
    <div class="card">
      <header>
        <h2>
          {sheet.name} <span class="muted number">{counted('{n} row|{n} rows', sheet.rows.length)}</span>
        </h2>
      </header>
      {match.source && (
        <p class="body" role="status">
          {t('Recognized as {source}. You can change each field.', { source: match.source })}
          {skipped > 0 &&
            ` ${t('{rows} marked as deleted will be skipped.', { rows: counted('{n} row|{n} rows', skipped) })}`}
        </p>
      )}
      <ErrorNotice error={error} />
      <ImportEncoding read={read} onEncoding={decode} />
      <ImportNotation undecided={undecided} notation={plan.notation} onNotation={onNotation} />
      <ColumnsTable {...{ sheet, slots, mapping, onMapping }} />
      <div class="body stack">
        <ImportRemarks remarks={sheet.remarks} />
        {missing.length > 0 && (
          <p class="notice warn">
            {t('Required, but without a column: {missing}', { missing: missing.map(({ label }) => label).join(', ') })}
          </p>
        )}
        {outcome && (
          <p class="notice warn">
            {t(
              'Deals get the stage of their row, also those that are won or lost by “{outcome}”. Import these from a file of their own, with “{outcome}” as “{field}”.',
              { outcome, field: slots.find(({ name }) => name === 'stage.name')!.label },
            )}
          </p>
        )}
        {dropped.length > 0 && (
          <p class="notice warn">
            {t('These columns have data that will not be imported: {dropped}', { dropped: dropped.join(', ') })}
          </p>
        )}
        <div class="actions">
          <button type="button" class="button" onClick={onBack}>
            {t('Another file')}
          </button>
          <button type="button" class="button primary" onClick={onNext}>
            {t('Check the rows')}
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
    <section class="scroll" aria-label={t('Columns')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Column')}</th>
            <th scope="col">{t('Field')}</th>
            <th scope="col" class="p2">
              {t('For example')}
            </th>
          </tr>
        </thead>
        <tbody>
          {sheet.shown.map((column, at) => (
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
          aria-label={t('Field for {column}', { column })}
          value={chosen ?? ''}
          onChange={(event) => onChoose(event.currentTarget.value)}
        >
          <option value="">{t('Leave out')}</option>
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
