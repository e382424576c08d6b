import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { remove } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import { newOnce } from '../data/once.ts'
import { isRefused } from '../data/refused.ts'
import type { Row } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { notify } from '../parts/notes.tsx'
import { resourceOf } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'
import {
  type CellsBefore,
  type CellValues,
  changeItem,
  createItem,
  type Item,
  loadItems,
  moveItem,
  type NewItem,
  newItem,
} from './deal-items.ts'
import type { RowState } from './item-row.tsx'

/** The line items of a deal, and the rows that are new. A new row keeps its key when it is saved, and so its inputs. */
export function useItems(deal: Row, onChanged: () => void) {
  const keys = useRef(new Map<string, string>())
  const unanswered = useRef(new Map<string, NewItem>())
  const [drafts, setDrafts] = useState<string[]>([])
  const [states, setStates] = useState<Record<string, RowState>>({})
  const { loaded, latest, write } = useWritten(deal)
  const keyOf = ({ id }: Item) => keys.current.get(id) ?? id
  const isCreated = (key: string) => [...keys.current.values()].includes(key)
  const itemOf = (key: string) => latest.current.find((each) => keyOf(each) === key)

  const show = async () => {
    if (!(await loaded.refresh())) throw new Error(t('It is saved, but cannot be shown. Enter tries again.'))
  }

  const create = async (key: string, given: NewItem) => {
    unanswered.current.set(key, given)
    try {
      const row = await createItem(deal.id, given)
      unanswered.current.delete(key)
      keys.current.set(row.id, key)
      return row
    } catch (error) {
      if (isRefused(error)) unanswered.current.delete(key)
      throw error
    }
  }

  /** Resolves when the table shows what is saved. */
  const save = (key: string, values: CellValues, before: CellsBefore) =>
    write(async (send) => {
      if (isCreated(key) && !itemOf(key)) await show()
      const item = itemOf(key)
      if (!item && (isCreated(key) || !drafts.includes(key)))
        throw new Error(t('The line item was deleted in the meantime.'))
      const given = unanswered.current.get(key) ?? newItem(values, latest.current)
      const saved = await send(() => (item ? changeItem(typedOver(item, before), values) : create(key, given)))
      notifyChange(
        item ? t('{title} saved.', { title: saved.name }) : t('{title} added.', { title: saved.name }),
        saved,
      )
      onChanged()
      await show()
      const made = itemOf(key)
      if (item || !made || given.values === values) return
      await send(() => changeItem(made, values)) // the answer was lost, and the row may have been changed since
      await show()
    })

  const takeOut = ({ id }: Item) =>
    write(async (send) => {
      const { name } = latest.current.find((each) => each.id === id)?.cells ?? {}
      if (name === undefined) return kept.leaveOut(id)
      notifyChange(
        t('{title} deleted.', { title: name }),
        await send(() => remove<object>(`/${resourceOf('line_item').path}/${id}`)),
      )
      kept.leaveOut(id)
      onChanged()
      await loaded.refresh()
    }).catch((error: Error) => notify(t('Not deleted: {message}', { message: error.message })))

  const move = ({ id }: Item, by: 1 | -1) =>
    write(async (send) => {
      const items = latest.current
      const item = items.find((each) => each.id === id)
      if (!item || !items[items.indexOf(item) + by]) return
      notifyChange(t('Moved.'), await send(() => moveItem(items, item, by)))
      await loaded.refresh()
    }).catch((error: Error) => notify(t('Not moved: {message}', { message: error.message })))

  const items = loaded.data ?? []
  const kept = useKept(items, (item) => (states[keyOf(item)] ?? 'saved') !== 'saved')
  const shown = kept.items.map((item) => ({ key: keyOf(item), item: item as Item | undefined }))
  const left = drafts.filter((key) => !shown.some((row) => row.key === key))
  useLayoutEffect(() => {
    if (left.length < drafts.length) setDrafts(left)
  })
  return {
    ...{ items, loaded, save, move, takeOut },
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

/** An item with the cells that it had when typing into them began. */
function typedOver(item: Item, before: CellsBefore): Item {
  return { ...item, cells: { ...item.cells, ...before } }
}

/** The items and, at their places, those that somebody else has deleted while one typed into them, until that is taken back. */
function useKept(items: readonly Item[], isTyped: (item: Item) => boolean) {
  const before = useRef<readonly Item[]>([])
  const [leftOut, setLeftOut] = useState<readonly string[]>([])
  const isKept = (item: Item) => !items.some(({ id }) => id === item.id) && !leftOut.includes(item.id) && isTyped(item)
  const shown = before.current
    .filter(isKept)
    .reduce((all, item) => all.toSpliced(before.current.indexOf(item), 0, item), [...items])
  useLayoutEffect(() => {
    before.current = shown
  })
  return { items: shown, leaveOut: (id: string) => setLeftOut((ids) => [...ids, id]) }
}

type Send = <T>(run: () => Promise<T>) => Promise<T>

/**
 * The line items as the server has them between two writes. Writes are made one after the other, so that new rows stay in their order, and
 * each sees what the one before has left. A list that was read beside a write may show it in part: it is read again after it.
 */
function useWritten(deal: Row) {
  const latest = useRef<Item[]>([])
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const sending = useRef<Promise<unknown> | undefined>(undefined)
  const sent = useRef(0)
  const loaded = useData(
    async (signal) => {
      for (;;) {
        await sending.current?.catch(() => {})
        const before = sent.current
        const items = await loadItems(deal.id)
        if (sent.current !== before && !signal.aborted) continue
        if (!signal.aborted) latest.current = items
        return items
      }
    },
    [deal.id, deal.currency],
  )
  useNews(({ resource }) => resource === 'line_item' || resource === 'product', loaded.refresh)
  const send: Send = async (run) => {
    sent.current++
    const running = run()
    sending.current = running
    try {
      return await running
    } finally {
      sending.current = undefined
    }
  }
  const write = <T>(run: (send: Send) => Promise<T>): Promise<T> => {
    const writing = queue.current.then(() => run(send))
    queue.current = writing.catch(() => loaded.refresh())
    return writing
  }
  return { loaded, latest, write }
}
