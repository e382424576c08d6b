import type { Row } from '../views.ts'

/** The places for a dragged deal that is won or lost, shown while it is dragged. The keyboard moves a deal to the columns. */
export function OutcomeDrops({ stages, target }: { stages: Row[]; target: string | undefined }) {
  const ends = ['won', 'lost'].flatMap((kind) => stages.find((stage) => stage.kind === kind) ?? [])
  return (
    <div class="drops" aria-hidden="true">
      {ends.map(({ id, kind, name }) => (
        <div key={id} class={id === target ? `${kind} over` : kind} data-stage={id}>
          {name}
        </div>
      ))}
    </div>
  )
}
