import { type Row, titleOf } from '../data/resource-views.ts'
import { Value } from '../parts/value.tsx'
import { t } from '../text/texts.ts'
import { type Chosen, differs, holderOf, type MergeField } from './merging.ts'

interface MergeFieldsProps {
  of: string
  fields: readonly MergeField[]
  /** The records, in the order in which they are shown. */
  rows: readonly Row[]
  /** The ids of those that are left out. */
  left: readonly string[]
  /** The same, beginning with the survivor. */
  ranked: readonly Row[]
  chosen: Chosen
  onChoose: (name: string, id: string) => void
}

/** The values of the records side by side. Where they differ, the user chooses one. */
export function MergeFields({ of, fields, rows, left, ranked, chosen, onChoose }: MergeFieldsProps) {
  return (
    <>
      {fields.map((field) => {
        const holder = chosen[field.name] ?? holderOf(field, ranked).id
        return (
          <fieldset key={field.name}>
            <legend>{field.label}</legend>
            {rows.map((row, at) => (
              <Cell
                key={row.id}
                row={row}
                record={t('{title}, record {value}', { title: titleOf(of, row), value: at + 1 })}
                field={field}
                isChoice={differs(field, ranked) && field.text(row) !== '' && !left.includes(row.id)}
                isLeft={left.includes(row.id)}
                isChosen={row.id === holder}
                onChoose={() => onChoose(field.name, row.id)}
              />
            ))}
          </fieldset>
        )
      })}
    </>
  )
}

interface CellProps {
  row: Row
  /** The name of the record. */
  record: string
  field: MergeField
  isChoice: boolean
  isLeft: boolean
  isChosen: boolean
  onChoose: () => void
}

function Cell({ row, record, field, isChoice, isLeft, isChosen, onChoose }: CellProps) {
  const text = field.text(row)
  const { declared } = field
  const shown = declared && text !== '' ? <Value field={declared} row={row} relation={undefined} /> : text
  if (!isChoice) return <p class={isLeft ? 'left' : text === '' ? 'muted' : ''}>{text === '' ? '–' : shown}</p>
  return (
    <label class="check">
      <input type="radio" name={`merge ${field.name}`} checked={isChosen} onChange={onChoose} />
      <span>
        {shown} <span class="unseen">{t('of {record}', { record })}</span>
      </span>
    </label>
  )
}
