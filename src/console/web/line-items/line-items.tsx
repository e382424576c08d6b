import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { remove } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import { newOnce } from '../data/once.ts'
import type { Row } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { useUnsaved } from '../forms/use-unsaved.ts'
import { isConfirmed } from '../parts/dialog.tsx'
import { ListCard } from '../parts/list-card.tsx'
import { notify } from '../parts/notes.tsx'
import { fieldOf, resourceOf } from '../session/session.ts'
import { exactMoney } from '../text/format.ts'
import { about, t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'
import {
  type CellValues,
  cellNames,
  changeItem,
  createItem,
  type Item,
  loadItems,
  moveItem,
  sumOf,
} from './deal-items.ts'
import { focusCell, ItemRow, type RowState } from './item-row.tsx'

interface LineItemsProps {
  deal: Row
  /** The value of the deal has changed. */
  onChanged: () => void
}

/** The line items of a deal as a table into which one types. Each cell is saved when it is left, as a change of its own. */
export function LineItems({ deal, onChanged }: LineItemsProps) {
  const { label, plural, path } = resourceOf('line_item')
  const table = useItems(deal, onChanged)
  const { items, rows, loaded, states, drafts, move } = table
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
  const unsaved = Object.values(states.of).filter((state) => state !== 'saved')
  useUnsaved(unsaved.length > 0, () =>
    isConfirmed({
      title: t('Discard what is not saved?'),
      body: t('Some line items are not saved.'),
      verb: t('Discard'),
    }),
  )
  const takeOut = async ({ id, cells }: Item) => {
    try {
      notifyChange(t('{title} deleted.', { title: cells.name }), await remove(`/${path}/${id}`))
      await table.reload()
    } catch (error) {
      notify(t('Not deleted: {message}', { message: (error as Error).message }))
    }
  }
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
                  count={items.length}
                  currency={deal.currency}
                  save={(values) => table.save(key, values)}
                  onState={(state) => states.put(key, state)}
                  onNext={add}
                  onMove={(by) => item && void move(item, by)}
                  onRemove={() => (item ? void takeOut(item) : drafts.leaveOut(key))}
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
              {t('Total')} <strong class="number">{exactMoney(sumOf(items), deal.currency)}</strong>
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

/** The line items of a deal, and the rows that are new. A new row keeps its key when it is saved, and so its inputs. */
function useItems(deal: Row, onChanged: () => void) {
  const latest = useRef<Item[]>([])
  const keys = useRef(new Map<string, string>())
  const [drafts, setDrafts] = useState<string[]>([])
  const [states, setStates] = useState<Record<string, RowState>>({})
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const loaded = useData(async () => {
    latest.current = await loadItems(deal.id)
    return latest.current
  }, [deal.id, deal.currency])
  useNews(({ resource }) => resource === 'line_item' || resource === 'product', loaded.refresh)
  const keyOf = ({ id }: Item) => keys.current.get(id) ?? id
  const reload = async () => {
    await loaded.refresh()
    onChanged()
  }
  const saveNow = async (key: string, values: CellValues) => {
    const isCreated = [...keys.current.values()].includes(key)
    if (isCreated && !latest.current.some((each) => keyOf(each) === key)) await loaded.refresh()
    const item = latest.current.find((each) => keyOf(each) === key)
    if (!item && (isCreated || !drafts.includes(key))) throw new Error(t('The line item was deleted in the meantime.'))
    const saved = item ? await changeItem(item, values) : await createItem(deal.id, values, latest.current)
    if (!item) keys.current.set(saved.id, key)
    notifyChange(item ? t('{title} saved.', { title: saved.name }) : t('{title} added.', { title: saved.name }), saved)
    await reload()
  }
  /** Changes are saved one after the other, so that new rows stay in their order. */
  const save = (key: string, values: CellValues) => {
    const saving = queue.current.then(() => saveNow(key, values))
    queue.current = saving.catch(() => loaded.refresh())
    return saving
  }
  const move = async (item: Item, by: 1 | -1) => {
    const at = latest.current.indexOf(item) + by
    if (at < 0 || at >= latest.current.length) return
    try {
      notifyChange(t('Moved.'), await moveItem(latest.current, item, by))
    } catch (error) {
      notify(t('Not moved: {message}', { message: (error as Error).message }))
    }
    await loaded.refresh()
  }
  const items = loaded.data ?? []
  const shown = items.map((item) => ({ key: keyOf(item), item: item as Item | undefined }))
  const left = drafts.filter((key) => !shown.some((row) => row.key === key))
  useLayoutEffect(() => {
    if (left.length < drafts.length) setDrafts(left)
  })
  return {
    ...{ items, loaded, reload, save, move },
    rows: [...shown, ...left.map((key) => ({ key, item: undefined }))],
    drafts: {
      last: drafts.at(-1),
      add: () => setDrafts((before) => [...before, newOnce()]),
      leaveOut: (key: string) => setDrafts((before) => before.filter((each) => each !== key)),
    },
    states: {
      of: states,
      put: (key: string, state: RowState | undefined) =>
        setStates(({ [key]: _, ...others }) => (state ? { ...others, [key]: state } : others)),
    },
  }
}
