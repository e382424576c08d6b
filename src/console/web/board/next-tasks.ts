import { signal } from '@preact/signals'
import { list } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'
import { chunksOf } from './chunks.ts'

const tasksMax = 200

/** The next tasks of the deals on a board. Cards do not wait for them. */
export function createNextTasks() {
  const tasks = signal<ReadonlyMap<string, Row | undefined>>(new Map())
  return {
    of: (dealId: string) => tasks.value.get(dealId),
    async load(deals: readonly Row[]): Promise<void> {
      const found = await nextTasks(deals).catch(() => [])
      if (found.length > 0) tasks.value = new Map([...tasks.peek(), ...found])
    },
  }
}

/** The open task of each deal that is due first, if it has one with a date; undefined for a deal without. */
async function nextTasks(deals: readonly Row[]): Promise<[dealId: string, task: Row | undefined][]> {
  const ids = deals.map(({ id }) => id)
  const found = (await Promise.all(chunksOf(ids).map(openTasks))).flat()
  return ids.map((id) => [id, found.find(({ deal_id }) => deal_id === id)])
}

async function openTasks(ids: readonly string[]): Promise<Row[]> {
  const query = { 'deal_id[in]': ids.join(), 'status[in]': 'pending,in_progress', 'due_date[ne]': 'null' }
  const { data } = await list<Row>('/api-v1-tasks', { ...query, sort: 'due_date:asc', limit: tasksMax })
  return data
}
