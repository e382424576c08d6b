import { signal } from '@preact/signals'
import type { StageSum } from '../../crm/pipeline.ts'
import { get, list, patch } from './http.ts'
import { tell } from './parts/notes.tsx'
import { type StageTotal, totalsOf } from './pipeline-sums.ts'
import type { Row } from './views.ts'

const pageSize = 25

interface Column {
  deals: Row[]
  /** Null: there are no more. */
  next: string | null
}

/** The deals on the board, by stage; what is moved is shown at once and put back where the server refuses. */
export interface Board {
  columns: Readonly<Record<string, Column>>
  totals: ReadonlyMap<string, StageTotal>
  loadMore(stageId: string): Promise<void>
  move(deal: Row, to: Row): Promise<void>
  refresh(stageId: string): Promise<void>
}

export function createBoard(): Board {
  const columns = signal<Record<string, Column>>({})
  const totals = signal<Map<string, StageTotal>>(new Map())
  const loading = new Set<string>()
  const put = (stageId: string, column: Column) => {
    columns.value = { ...columns.value, [stageId]: column }
  }
  void sum()
  return {
    get columns() {
      return columns.value
    },
    get totals() {
      return totals.value
    },
    loadMore: (stageId) => load(stageId, columns.peek()[stageId]),
    async refresh(stageId) {
      await Promise.all([load(stageId, undefined), sum()])
    },
    move,
  }

  async function load(stageId: string, shown: Column | undefined): Promise<void> {
    if (loading.has(stageId) || shown?.next === null) return
    loading.add(stageId)
    try {
      const query = { stage_id: stageId, include: 'organization,assigned_user', limit: pageSize, cursor: shown?.next }
      const { data, pagination } = await list<Row>('/api-v1-deals', { ...query, cursor: shown?.next ?? undefined })
      const known = new Set(shown?.deals.map(({ id }) => id))
      const deals = [...(shown?.deals ?? []), ...data.filter(({ id }) => !known.has(id))]
      put(stageId, { deals, next: pagination.next_cursor })
    } catch (error) {
      tell((error as Error).message)
    } finally {
      loading.delete(stageId)
    }
  }

  async function sum(): Promise<void> {
    totals.value = totalsOf(await get<StageSum[]>('/console/pipeline'))
  }

  async function move(deal: Row, to: Row): Promise<void> {
    const from = deal.stage_id
    if (from === to.id) return
    carry(deal, from, to.id)
    try {
      await patch(`/api-v1-deals/${deal.id}/stage`, { stage_id: to.id })
      tell(`${deal.title} is in ${to.name} now.`)
    } catch (error) {
      carry({ ...deal, stage_id: to.id }, to.id, from)
      tell(`Not moved: ${(error as Error).message}`)
    }
    await sum()
  }

  function carry(deal: Row, from: string, to: string): void {
    const without = (stageId: string) => columns.peek()[stageId]?.deals.filter(({ id }) => id !== deal.id) ?? []
    put(from, { next: columns.peek()[from]?.next ?? null, deals: without(from) })
    put(to, { next: columns.peek()[to]?.next ?? null, deals: [{ ...deal, stage_id: to }, ...without(to)] })
  }
}
