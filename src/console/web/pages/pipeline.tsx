import { Handshake, Plus } from 'lucide'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Board, createBoard } from '../board.ts'
import { plural } from '../format.ts'
import { list } from '../http.ts'
import { DealCard } from '../parts/deal-card.tsx'
import { Empty } from '../parts/empty.tsx'
import { Unloaded } from '../parts/fault.tsx'
import { Icon } from '../parts/icon.tsx'
import { RecordForm } from '../parts/record-form.tsx'
import { sumText } from '../pipeline-sums.ts'
import { href } from '../place.ts'
import { isAdmin } from '../session.ts'
import { useData } from '../use-data.ts'
import { type Hands, useHands } from '../use-hands.ts'
import { useTitle } from '../use-title.ts'
import type { Row } from '../views.ts'

/** The board: a column for each stage, deals moved between them by pointer or keyboard. */
export function Pipeline() {
  useTitle('Pipeline')
  const stages = useData((signal) => list<Row>('/api-v1-stages', { limit: 100 }, signal), [])
  const board = useMemo(createBoard, [])
  const [creating, setCreating] = useState(false)
  return (
    <div class="page">
      <div class="heading">
        <h1>Pipeline</h1>
        <button type="button" class="button primary" onClick={() => setCreating(true)}>
          <Icon of={Plus} /> New deal
        </button>
      </div>
      {!stages.data && <Unloaded of={stages} shape="columns" />}
      {stages.data?.data.length === 0 && <NoStages />}
      {stages.data && stages.data.data.length > 0 && <Columns stages={stages.data.data} board={board} />}
      {creating && (
        <RecordForm
          of="deal"
          onClose={() => setCreating(false)}
          onSaved={({ stage_id }) => {
            setCreating(false)
            void board.refresh(stage_id)
          }}
        />
      )}
    </div>
  )
}

function Columns({ stages, board }: { stages: Row[]; board: Board }) {
  const element = useRef<HTMLDivElement>(null)
  const hands = useHands(stages, board, element)
  return (
    <>
      <p class="unseen" role="status">
        {hands.said}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, also while its columns are empty */}
      <section class="board" ref={element} tabIndex={0} aria-label="Pipeline">
        {stages.map((stage) => (
          <Column key={stage.id} {...{ stage, board, hands }} />
        ))}
      </section>
    </>
  )
}

function NoStages() {
  return (
    <Empty icon={Handshake} title="There are no stages">
      {isAdmin() ? <a href={href('/settings/stages')}>Create the first stage</a> : 'Ask an admin to create them.'}
    </Empty>
  )
}

function Column({ stage, board, hands }: { stage: Row; board: Board; hands: Hands }) {
  const column = board.columns[stage.id]
  const total = board.totals.get(stage.id)
  useEffect(() => void board.loadMore(stage.id), [stage.id, board])
  return (
    <section
      class={hands.held?.target === stage.id ? 'column target' : 'column'}
      data-stage={stage.id}
      aria-label={stage.name}
    >
      <header>
        <h2>
          <span class="dot" style={{ backgroundColor: stage.color }} />
          {stage.name}
        </h2>
        <div class="muted small number">
          {plural(total?.deals ?? 0, 'deal')}
          {total && ` · ${sumText(total.values)}`}
        </div>
      </header>
      <ul>
        {column?.deals.map((deal) => (
          <DealCard key={deal.id} deal={deal} hands={hands} />
        ))}
        {column?.next && <More onSeen={() => board.loadMore(stage.id)} turn={column.deals.length} />}
      </ul>
    </section>
  )
}

/** At the end of a column: when it comes into sight, more is loaded. */
function More({ onSeen, turn }: { onSeen: () => void; turn: number }) {
  const element = useRef<HTMLLIElement>(null)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onSeen(), { rootMargin: '200px' })
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [turn])
  return (
    <li ref={element} class="muted small">
      Loading…
    </li>
  )
}
