import { signal } from '@preact/signals'
import { isGone, list, type Query } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'
import { moveDeal, moveText, noteReason } from '../deals/deal-moves.ts'
import { loadTotals, type StageTotals } from '../deals/pipeline-sums.ts'
import { notify } from '../parts/notes.tsx'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'

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
  /** Whether the search and the filters match no deal of any stage. */
  findsNothing: boolean
  loadTotals(): void
  loadMore(stageId: string): Promise<void>
  /** `reason`: kept as a note on the deal; default: none. */
  move(deal: Row, to: Row, reason?: string): Promise<void>
  /** Reloads the deals that are shown, and the sums. A call during a reload starts one more after it. */
  refresh(): Promise<void>
  /** Prevents reloads until the returned function is called: the user is moving a deal. */
  hold(): () => void
}

/** `found`: the search, filters and view that choose the deals. `onRefused`: a move was rejected, so the stages may have changed, too. */
export function createBoard(found: Query, onRefused: () => void): Board {
  const isNarrowed = Object.values(found).some((value) => value !== '' && value !== undefined)
  const columns = signal<Record<string, Column>>({})
  const unknown: StageTotals = new Map()
  const totals = signal(unknown)
  const loading = new Set<string>()
  /** Moves, page loads and deals being moved. Each starts a new version of the board. */
  const changes = new Set<Promise<unknown>>()
  let version = 0
  let refreshing: Promise<void> | undefined
  const put = (stageId: string, column: Column) => {
    columns.value = { ...columns.value, [stageId]: column }
  }
  let summed: Promise<void> | undefined
  return {
    get columns() {
      return columns.value
    },
    get totals() {
      return totals.value
    },
    get findsNothing() {
      return isNarrowed && totals.value !== unknown && totals.value.size === 0
    },
    loadTotals: () => void (summed ?? sum()).catch(report),
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
      totals.value = await loadTotals(found, isNarrowed)
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

  async function move(deal: Row, to: Row, reason = ''): Promise<void> {
    if (deal.stage_id === to.id) return
    const { moved, refused } = await change(() => tryMove(deal, to))
    if (!refused) {
      notifyChange(moveText(deal, to), moved)
      if (reason !== '') await noteReason(deal, to.name, reason)
      await sum().catch(report)
      return
    }
    notify(
      isGone(refused)
        ? t('{title} has been deleted in the meantime.', { title: deal.title })
        : t('Not moved: {message}', { message: refused.message }),
    )
    onRefused()
    await refresh()
  }

  /** Moves a deal. Returns it, or the server's error. */
  async function tryMove(deal: Row, to: Row): Promise<{ moved?: Row; refused?: Error }> {
    const from = deal.stage_id
    carry(deal, from, to.id)
    try {
      return { moved: await moveDeal(deal, to) }
    } catch (error) {
      if (isGone(error)) drop(deal.id, to.id)
      else carry(deal, to.id, from)
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
    if (isNarrowed) await (summed ?? sum())
    // The stage replaces a condition on stages: a stage without matching deals has no total.
    if (isNarrowed && !totals.peek().has(stageId)) return { deals: [], next: null }
    const query = { ...found, stage_id: stageId, include: 'organization,assigned_user', limit, cursor: next }
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
