import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { isChoice } from '../data/choice.ts'
import { Combobox } from '../forms/combobox.tsx'
import type { Wiring } from '../forms/form.tsx'
import { fieldOf, resourceOf } from '../session/session.ts'
import { noun, t } from '../text/texts.ts'
import { type CellName, type Offered, searchProducts } from './deal-items.ts'
import type { Cells } from './use-cells.ts'

interface ItemCellProps {
  name: CellName
  /** The number of the row, from 1. */
  at: number
  cells: Cells
  currency: string
  /** Whether the row is not saved yet. */
  isNew: boolean
  /** Changes when what was typed was taken back. */
  generation: number
}

/** One cell of a line item: an input with its error. */
export function ItemCell({ name, at, cells, currency, isNew, generation }: ItemCellProps) {
  const id = useId()
  const fault = cells.faultOf(name)
  const input = useRef<HTMLInputElement>(null)
  const [shown, isTyped] = [cells.valueOf(name), cells.isChanged(name)]
  // What arrives in the cell of the caret, such as the quantity of a new row, is replaced by what is typed then, as on focus.
  useLayoutEffect(() => {
    if (!isTyped && input.current?.matches(':focus')) input.current.select()
  }, [shown])
  const wiring: Wiring = {
    id,
    class: isTyped ? 'input changed' : 'input',
    ...(fault && { 'aria-invalid': true as const, 'aria-describedby': `${id}-fault` }),
  }
  return (
    <td data-cell={name} data-text={textOf(shown)} class={name === 'product_id' || name === 'name' ? '' : 'end'}>
      <label for={id}>
        {fieldOf('line_item', name).label}
        <span class="unseen">{t(', row {at}', { at })}</span>
      </label>
      {name === 'product_id' ? (
        <Combobox
          key={generation}
          wiring={wiring}
          value={shown as Offered | null}
          onValue={(value) => {
            cells.type(name, value)
            if (value && 'id' in value) void cells.commit()
          }}
          noun={noun(resourceOf('product').label)}
          placeholder={isNew ? undefined : ''}
          search={(text) => searchProducts(text, currency)}
        />
      ) : (
        <input
          {...wiring}
          ref={input}
          type="text"
          inputMode={name === 'name' ? 'text' : 'decimal'}
          autoComplete="off"
          placeholder={isNew ? placeholders[name] : undefined}
          value={shown as string}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onInput={({ currentTarget }) => cells.type(name, currentTarget.value)}
        />
      )}
      {fault && (
        <span class="fault" id={`${id}-fault`}>
          {fault}
        </span>
      )}
    </td>
  )
}

/** What is printed of a cell. */
function textOf(shown: unknown): string {
  return isChoice(shown) ? shown.label : typeof shown === 'string' ? shown : ''
}

/** What an empty cell of a new row means. */
const placeholders: Partial<Record<CellName, string>> = { quantity: '1', discount_percent: '0', tax_percent: '0' }
