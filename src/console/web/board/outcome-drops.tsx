import type { Row } from '../data/resource-views.ts'
import { outcomesOf } from '../deals/deal-moves.ts'
import type { DealMoves } from './use-deal-moves.ts'

/** The places for a dragged deal that is won or lost, shown while it is dragged. The keyboard moves a deal to the columns. */
export function OutcomeDrops({ stages, moving }: { stages: Row[]; moving: DealMoves['moving'] }) {
  const target = moving.value?.target
  return (
    <div class="drops" aria-hidden="true">
      {outcomesOf(stages).map(({ id, kind, name }) => (
        <div key={id} class={id === target ? `${kind} over` : kind} data-stage={id}>
          {name}
        </div>
      ))}
    </div>
  )
}
