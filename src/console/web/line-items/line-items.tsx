import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Row } from '../data/resource-views.ts'
import { useUnsaved } from '../forms/use-unsaved.ts'
import { isConfirmed } from '../parts/dialog.tsx'
import { ListCard } from '../parts/list-card.tsx'
import { fieldOf, resourceOf } from '../session/session.ts'
import { exactMoney } from '../text/format.ts'
import { about, t } from '../text/texts.ts'
import { cellNames, sumOf } from './deal-items.ts'
import { focusCell, ItemRow } from './item-row.tsx'
import { useItems } from './use-items.ts'

interface LineItemsProps {
  deal: Row
  /** The value of the deal has changed. */
  onChanged: () => void
}

/** The line items of a deal as a table into which one types. Each cell is saved when it is left, as a change of its own. */
export function LineItems({ deal, onChanged }: LineItemsProps) {
  const { label, plural } = resourceOf('line_item')
  const table = useItems(deal, onChanged)
  const { items, rows, loaded, states, drafts } = table
  const count = rows.filter(({ item }) => item).length
  const body = useRef<HTMLTableSectionElement>(null)
  /** A new row is to get the focus. */
  const isAwaited = useRef(false)
  const add = () => {
    const last = rows.at(-1)
    if (last && !last.item && states.of[last.key] === 'saved') return focusCell(body.current!.lastElementChild)
    isAwaited.current = true
    drafts.add()
  }
  useLayoutEffect(() => {
    if (isAwaited.current) focusCell(body.current?.lastElementChild ?? null)
    isAwaited.current = false
  }, [drafts.last])
  const hasTax = items.some(({ cells }) => Number(cells.tax_percent) > 0)
  const unsaved = Object.values(states.of).filter((state) => state !== 'saved')
  useUnsaved(unsaved.length > 0, () =>
    isConfirmed({
      title: t('Discard what is not saved?'),
      body: t('Some line items are not saved.'),
      verb: t('Discard'),
    }),
  )
  return (
    <ListCard
      label={plural}
      heading={
        <>
          {plural} {items.length > 0 && <span class="muted number">{items.length}</span>}
        </>
      }
      verb={about('Add {noun}', label)}
      {...(loaded.data && { onAdd: add })}
      loaded={loaded}
    >
      {loaded.data && rows.length === 0 && <p class="muted body">{t('None yet.')}</p>}
      {rows.length > 0 && (
        <div class="line-items">
          <table>
            <Headings />
            <tbody ref={body}>
              {rows.map(({ key, item }, at) => (
                <ItemRow
                  key={key}
                  item={item}
                  at={at + 1}
                  count={count}
                  currency={deal.currency}
                  save={(...given) => table.save(key, ...given)}
                  onState={(state) => states.put(key, state)}
                  onNext={add}
                  onMove={(by) => item && void table.move(item, by)}
                  onRemove={() => (item ? void table.takeOut(item) : drafts.leaveOut(key))}
                />
              ))}
            </tbody>
          </table>
          <footer class="row">
            <p class="muted small" role="status">
              {unsaved.includes('saving')
                ? t('Saving…')
                : unsaved.length > 0
                  ? t('Not all is saved.')
                  : t('All saved.')}
            </p>
            <p>
              {hasTax ? t('Total without tax') : t('Total')}{' '}
              <strong class="number">{exactMoney(sumOf(items), deal.currency)}</strong>
            </p>
          </footer>
        </div>
      )}
    </ListCard>
  )
}

function Headings() {
  return (
    <thead>
      <tr>
        {[...cellNames, 'total'].map((name, at) => (
          <th key={name} scope="col" class={at < 2 ? '' : 'end'}>
            {fieldOf('line_item', name).label}
          </th>
        ))}
        <td />
      </tr>
    </thead>
  )
}
