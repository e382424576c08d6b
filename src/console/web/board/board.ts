import { signal } from '@preact/signals'
import { isGone, list, type Query } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'
import { moveDeal, moveText, noteReason } from '../deals/deal-moves.ts'
import { type NeededMove, neededFor } from '../deals/needed-dialog.tsx'
import type { StageTotals } from '../deals/pipeline-sums.ts'
import { notify } from '../parts/notes.tsx'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'
import { awaitCard } from './awaited-card.ts'
import { loadTotals } from './load-totals.ts'
import { createNextTasks } from './next-tasks.ts'
import { createReloading } from './reloading.ts'
import { createStageAges, type StageAge } from './stage-ages.ts'

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
  /** The open task of a deal that is due first. */
  taskOf(dealId: string): Row | undefined
  /** For how long a deal has been in its stage; undefined until it is known. */
  ageOf(dealId: string): StageAge | undefined
  /** Whether the search and the filters match no deal of any stage. */
  findsNothing: boolean
  loadTotals(): void
  loadMore(stageId: string): Promise<void>
  /** `reason`: kept as a note on the deal; default: none. Resolves to undefined if a dialog asks for more. */
  move(deal: Row, to: Row, reason?: string): Promise<Moved | undefined>
  /** Reloads the deals that are shown, and the sums. A call during a reload starts one more after it. */
  refresh(): Promise<void>
  /** Reloads what depends on tasks: the next ones, and which deals are stale. A narrowed board is reloaded completely: it may show other deals then. */
  refreshTasks(): Promise<unknown>
  /** Prevents reloads until the returned function is called: the user is moving a deal. */
  hold(): () => void
}

export type Moved = 'moved' | 'kept'

interface BoardOptions {
  /** A move was rejected, so the stages may have changed, too. */
  onRefused(): void
  /** A move was rejected, because the deal lacks something. */
  onNeeded(move: NeededMove): void
}

/** `found`: the search, filters and view that choose the deals. */
export function createBoard(found: Query, { onRefused, onNeeded }: BoardOptions): Board {
  const isNarrowed = Object.values(found).some((value) => value !== '' && value !== undefined)
  const columns = signal<Record<string, Column>>({})
  const totals = signal(unknown)
  const tasks = createNextTasks()
  const ages = createStageAges()
  const loadDetails = (deals: readonly Row[]) => Promise.all([tasks.load(deals), ages.load(deals)])
  const loading = new Set<string>()
  const { change, refresh, hold } = createReloading(reload)
  let summed: Promise<void> | undefined
  return {
    get columns() {
      return columns.value
    },
    get totals() {
      return totals.value
    },
    taskOf: tasks.of,
    ageOf: ages.of,
    get findsNothing() {
      return isNarrowed && totals.value !== unknown && totals.value.size === 0
    },
    loadTotals: () => void (summed ?? sum()).catch(report),
    loadMore: (stageId) => change(() => load(stageId)),
    move,
    refresh,
    refreshTasks: () => (isNarrowed ? refresh() : loadDetails(dealsIn(columns.peek()))),
    hold,
  }

  async function load(stageId: string): Promise<void> {
    const shown = () => columns.peek()[stageId] ?? noColumn
    const { next } = shown()
    if (loading.has(stageId) || next === null) return
    loading.add(stageId)
    try {
      const page = await pageAfter(stageId, next, pageSize)
      columns.value = { ...columns.value, [stageId]: joined(shown(), page) }
    } catch (error) {
      columns.value = { ...columns.value, [stageId]: { ...shown(), error: error as Error } }
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

  async function reload(): Promise<() => void> {
    const shown = Object.entries(columns.peek())
    const resummed = sum()
    const columnsOf = shown.map(
      async ([id, { deals }]) => [id, await firstOf(deals.length, (...page) => pageAfter(id, ...page))] as const,
    )
    const [fresh] = await Promise.all([Promise.all(columnsOf), resummed])
    return () => {
      columns.value = Object.fromEntries(fresh)
    }
  }

  async function move(deal: Row, to: Row, reason = ''): Promise<Moved | undefined> {
    if (deal.stage_id === to.id) return 'kept'
    const { moved, refused } = await change(() => tryMove(deal, to))
    if (!refused) {
      notifyChange(moveText(deal, to), moved)
      void ages.load([deal])
      if (reason !== '') await noteReason(moved!, to.name, reason)
      await sum().catch(report)
      return 'moved'
    }
    const needed = await neededFor(refused, deal, to, reason).catch(() => undefined)
    if (needed) return void onNeeded(needed)
    notify(refusalText(refused, deal))
    onRefused()
    return refresh().then(() => 'kept')
  }

  /** Moves a deal. Returns it, or the server's error. */
  async function tryMove(deal: Row, to: Row): Promise<{ moved?: Row; refused?: Error }> {
    columns.value = carried(columns.peek(), deal, deal.stage_id, to.id)
    try {
      return { moved: await moveDeal(deal, to) }
    } catch (error) {
      awaitCard(deal.id)
      columns.value = carriedBack(columns.peek(), deal, to.id, isGone(error) ? undefined : deal.stage_id)
      return { refused: error as Error }
    }
  }

  /** Loads a page of a column; `next` undefined: the first page. */
  async function pageAfter(stageId: string, next: string | undefined, limit: number): Promise<Column> {
    if (isNarrowed) await (summed ?? sum())
    // The stage replaces a condition on stages: a stage without matching deals has no total.
    if (isNarrowed && !totals.peek().has(stageId)) return { deals: [], next: null }
    const query = { ...found, stage_id: stageId, include: 'organization,assigned_user', limit, cursor: next }
    const { data, pagination } = await list<Row>('/api-v1-deals', query)
    void loadDetails(data)
    return { deals: data, next: pagination.next_cursor }
  }
}

function refusalText(refused: Error, { title }: Row): string {
  if (isGone(refused)) return t('{title} has been deleted in the meantime.', { title })
  return t('Not moved: {message}', { message: refused.message })
}

const unknown: StageTotals = new Map()

const noColumn: Column = { deals: [], next: undefined }

function dealsIn(columns: Record<string, Column>): Row[] {
  return Object.values(columns).flatMap(({ deals }) => deals)
}

/** The columns with a deal taken out of one, and at the top of another one, if there is one. */
function carried(columns: Record<string, Column>, deal: Row, out: string, into?: string): Record<string, Column> {
  const without = (stageId: string) => {
    const column = columns[stageId] ?? noColumn
    return { ...column, deals: column.deals.filter(({ id }) => id !== deal.id) }
  }
  const left = { ...columns, [out]: without(out) }
  if (into === undefined) return left
  const { deals, ...rest } = without(into)
  return { ...left, [into]: { ...rest, deals: [{ ...deal, stage_id: into }, ...deals] } }
}

/** Like `carried`, unless a later move has carried the deal on. */
function carriedBack(columns: Record<string, Column>, deal: Row, out: string, into?: string): Record<string, Column> {
  return columns[out]?.deals.some(({ id }) => id === deal.id) ? carried(columns, deal, out, into) : columns
}

function joined({ deals }: Column, page: Column): Column {
  const known = new Set(deals.map(({ id }) => id))
  return { ...page, deals: [...deals, ...page.deals.filter(({ id }) => !known.has(id))] }
}

/** Loads a column from its first deal, with at least as many deals as are shown. */
async function firstOf(
  count: number,
  pageAfter: (next: string | undefined, limit: number) => Promise<Column>,
): Promise<Column> {
  let column = noColumn
  do {
    const limit = Math.min(pageSizeMax, Math.max(pageSize, count - column.deals.length))
    column = joined(column, await pageAfter(column.next ?? undefined, limit))
  } while (column.next && column.deals.length < count)
  return column
}

function report(error: Error): void {
  notify(error.message)
}
