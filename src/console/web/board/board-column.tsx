import { computed } from '@preact/signals'
import { ChevronsLeftRight, ChevronsRightLeft, Plus } from 'lucide'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Values } from '../data/form-merge.ts'
import type { Row } from '../data/resource-views.ts'
import type { ListFilters } from '../deals/deal-links.ts'
import { probabilityIn } from '../deals/deal-moves.ts'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { Tool } from '../parts/tool.tsx'
import { t } from '../text/texts.ts'
import type { Board } from './board.ts'
import { DealCard } from './deal-card.tsx'
import { useFolded } from './folded.ts'
import { StageSums } from './stage-sums.tsx'
import type { DealMoves } from './use-deal-moves.ts'

interface BoardColumnProps {
  stage: Row
  board: Board
  moves: DealMoves
  /** The filters of the board, for the lists of a column's deals. */
  filters: ListFilters
  /** Called with the initial values of a new deal. */
  onAdd: (preset: Values) => void
}

/** The deals of a stage, with their totals. */
export function BoardColumn({ stage, board, moves, filters, onAdd }: BoardColumnProps) {
  // Not `board.columns`: each column is shown again for its own deals only.
  const column = useMemo(() => computed(() => board.columns[stage.id]), [board, stage.id]).value
  const total = board.totals.get(stage.id)
  const loadMore = () => board.loadMore(stage.id)
  const [isFolded, fold] = useFolded(stage)
  useEffect(() => void (isFolded || loadMore()), [stage.id, board, isFolded])
  const foldButton = stage.kind !== 'open' && (
    <Tool
      icon={isFolded ? ChevronsLeftRight : ChevronsRightLeft}
      label={isFolded ? t('Unfold {name}', { name: stage.name }) : t('Fold {name}', { name: stage.name })}
      onClick={() => fold(!isFolded)}
    />
  )
  // Not shown again while a deal is dragged over it: only its class changes.
  const classes = useMemo(() => {
    const own = ['column', ...(isFolded ? ['folded'] : [])]
    return computed(() => [...own, ...(moves.moving.value?.target === stage.id ? ['target'] : [])].join(' '))
  }, [moves.moving, stage.id, isFolded])
  const section = { class: classes, 'data-stage': stage.id, 'aria-label': stage.name }
  if (isFolded) {
    return (
      <section {...section}>
        {foldButton}
        <h2>
          <span class="dot" style={{ backgroundColor: stage.color }} />
          <span>{stage.name}</span> <span class="muted number">{total?.deals ?? 0}</span>
        </h2>
      </section>
    )
  }
  return (
    <section {...section}>
      <header>
        <div class="row apart">
          <h2 title={stage.name}>
            <span class="dot" style={{ backgroundColor: stage.color }} />
            <span>{stage.name}</span>
          </h2>
          {foldButton}
          <Tool
            icon={Plus}
            label={t('Add deal in {name}', { name: stage.name })}
            onClick={() => onAdd(presetIn(stage))}
          />
        </div>
        <StageSums stage={stage} total={total} filters={{ ...filters, stage_id: stage.id }} />
      </header>
      <ul>
        {column?.deals.map((deal) => (
          <DealCard
            key={deal.id}
            deal={deal}
            isOpen={stage.kind === 'open'}
            task={board.taskOf(deal.id)}
            age={board.ageOf(deal.id)}
            moves={moves}
          />
        ))}
        {column?.next && !column.error && <More onSeen={loadMore} turn={column.deals.length} />}
        {(!column || column.error) && (
          <li>
            <LoadingOrError of={{ error: column?.error, reload: loadMore }} shape="cards" />
          </li>
        )}
      </ul>
    </section>
  )
}

/** The initial values of a deal that is added to a stage. */
export function presetIn({ id, name, kind, requires }: Row): Values {
  return { stage_id: { id, label: name, kind, requires }, ...probabilityIn(kind) }
}

/** The end of a column. Loads more deals when it becomes visible. */
function More({ onSeen, turn }: { onSeen: () => void; turn: number }) {
  const element = useRef<HTMLLIElement>(null)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onSeen(), { rootMargin: '200px' })
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [turn])
  return (
    <li ref={element} class="muted small">
      {t('Loading…')}
    </li>
  )
}
