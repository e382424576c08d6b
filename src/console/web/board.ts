import { signal } from '@preact/signals'
import { isGone, list, patch } from './http.ts'
import { notify } from './parts/notes.tsx'
import { loadTotals, type StageTotals } from './pipeline-sums.ts'
import { notifyChange } from './undo.ts'
import type { Row } from './views.ts'

const pageSize = 25
const pageSizeMax = 100

interface Column {
  deals: Row[]
  /** The cursor of the next page; null: there is none; undefined: nothing has been loaded. */
  next: string | null | undefined
  /** Why the first or the next deals could not be loaded. */
  error?: Error
}

/** The deals on the board, by stage. A moved deal is shown at once, and moved back if the server rejects it. */
export interface Board {
  columns: Readonly<Record<string, Column>>
  totals: StageTotals
  loadMore(stageId: string): Promise<void>
  move(deal: Row, to: Row): Promise<void>
  /** Reloads the deals that are shown, and the sums. A call during a reload starts one more after it. */
  refresh(): Promise<void>
  /** Prevents reloads until the returned function is called: the user is moving a deal. */
  hold(): () => void
}

/** `view`: the id of the view whose deals are shown; '': all deals. `onRefused`: a move was rejected, so the stages may have changed, too. */
export function createBoard(view: string, onRefused: () => void): Board {
  const columns = signal<Record<string, Column>>({})
  const totals = signal<StageTotals>(new Map())
  const loading = new Set<string>()
  /** Moves, page loads and deals being moved. Each starts a new version of the board. */
  const changes = new Set<Promise<unknown>>()
  let version = 0
  let refreshing: Promise<void> | undefined
  const put = (stageId: string, column: Column) => {
    columns.value = { ...columns.value, [stageId]: column }
  }
  let summed: Promise<void> | undefined
  void sum().catch(report)
  return {
    get columns() {
      return columns.value
    },
    get totals() {
      return totals.value
    },
    loadMore: (stageId) => change(() => load(stageId)),
    move,
    refresh,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      void change(() => promise)
      return resolve
    },
  }

  async function change<T>(run: () => Promise<T>): Promise<T> {
    version++
    const changed = run()
    changes.add(changed)
    return changed.finally(() => changes.delete(changed))
  }

  async function load(stageId: string): Promise<void> {
    const shown = () => columns.peek()[stageId] ?? noColumn
    const { next } = shown()
    if (loading.has(stageId) || next === null) return
    loading.add(stageId)
    try {
      const page = await pageAfter(stageId, next, pageSize)
      put(stageId, joined(shown(), page))
    } catch (error) {
      put(stageId, { ...shown(), error: error as Error })
    } finally {
      loading.delete(stageId)
    }
  }

  function sum(): Promise<void> {
    const run = async () => {
      totals.value = await loadTotals(view)
    }
    const running = run().catch((error) => {
      if (summed === running) summed = undefined
      throw error
    })
    summed = running
    return running
  }

  function refresh(): Promise<void> {
    version++
    refreshing ??= reload()
      .catch(report)
      .finally(() => {
        refreshing = undefined
      })
    return refreshing
  }

  /** Reloads the board. Ignores a response that was requested before the last change. */
  async function reload(): Promise<void> {
    for (;;) {
      while (changes.size > 0) await Promise.allSettled(changes)
      const asked = version
      const shown = Object.entries(columns.peek())
      const resummed = sum()
      const columnsOf = shown.map(async ([id, { deals }]) => [id, await firstOf(id, deals.length)] as const)
      const [fresh] = await Promise.all([Promise.all(columnsOf), resummed])
      if (asked !== version) continue
      columns.value = Object.fromEntries(fresh)
      return
    }
  }

  async function move(deal: Row, to: Row): Promise<void> {
    if (deal.stage_id === to.id) return
    const { moved, refused } = await change(() => tryMove(deal, to.id))
    if (!refused) {
      notifyChange(`${deal.title} is in ${to.name} now.`, moved)
      await sum().catch(report)
      return
    }
    notify(isGone(refused) ? `${deal.title} has been deleted in the meantime.` : `Not moved: ${refused.message}`)
    onRefused()
    await refresh()
  }

  /** Moves a deal. Returns it, or the server's error. */
  async function tryMove(deal: Row, to: string): Promise<{ moved?: Row; refused?: Error }> {
    const from = deal.stage_id
    carry(deal, from, to)
    try {
      return { moved: await patch<Row>(`/api-v1-deals/${deal.id}/stage`, { stage_id: to }) }
    } catch (error) {
      if (isGone(error)) drop(deal.id, to)
      else carry(deal, to, from)
      return { refused: error as Error }
    }
  }

  function carry(deal: Row, from: string, to: string): void {
    drop(deal.id, from)
    const column = columns.peek()[to] ?? noColumn
    put(to, { ...column, deals: [{ ...deal, stage_id: to }, ...column.deals.filter(({ id }) => id !== deal.id)] })
  }

  /** Loads a page of a column; `next` undefined: the first page. */
  async function pageAfter(stageId: string, next: string | undefined, limit: number): Promise<Column> {
    if (view !== '') await (summed ?? sum())
    // The stage replaces a condition of the view on stages: a stage outside of the view has no total.
    if (view !== '' && !totals.peek().has(stageId)) return { deals: [], next: null }
    const query = { view, stage_id: stageId, include: 'organization,assigned_user', limit, cursor: next }
    const { data, pagination } = await list<Row>('/api-v1-deals', query)
    return { deals: data, next: pagination.next_cursor }
  }

  /** Loads a column from its first deal, with at least as many deals as are shown. */
  async function firstOf(stageId: string, count: number): Promise<Column> {
    let column = noColumn
    do {
      const limit = Math.min(pageSizeMax, Math.max(pageSize, count - column.deals.length))
      column = joined(column, await pageAfter(stageId, column.next ?? undefined, limit))
    } while (column.next && column.deals.length < count)
    return column
  }

  function drop(id: string, from: string): void {
    const column = columns.peek()[from] ?? noColumn
    put(from, { ...column, deals: column.deals.filter((deal) => deal.id !== id) })
  }
}

const noColumn: Column = { deals: [], next: undefined }

function joined({ deals }: Column, page: Column): Column {
  const known = new Set(deals.map(({ id }) => id))
  return { ...page, deals: [...deals, ...page.deals.filter(({ id }) => !known.has(id))] }
}

function report(error: Error): void {
  notify(error.message)
}
