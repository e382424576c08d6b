import { signal } from '@preact/signals'
import { get } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'
import { chunksOf } from './chunks.ts'

/** Since when a deal is in its stage, and whether nothing has happened for too long. */
export interface StageAge {
  id: string
  entered_at: string
  is_stale: boolean
}

/** The ages of the deals on a board. Cards do not wait for them. */
export function createStageAges() {
  const ages = signal<ReadonlyMap<string, StageAge>>(new Map())
  return {
    of: (dealId: string) => ages.value.get(dealId),
    async load(deals: readonly Row[]): Promise<void> {
      const found = (await Promise.all(chunksOf(deals).map(agesOf)).catch(() => [])).flat()
      if (found.length > 0) ages.value = new Map([...ages.peek(), ...found.map((age) => [age.id, age] as const)])
    },
  }
}

function agesOf(deals: readonly Row[]): Promise<StageAge[]> {
  return get(`/console/stage-ages?${deals.map(({ id }) => `id=${id}`).join('&')}`)
}
