import { Handshake, Plus } from 'lucide'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Board, createBoard } from '../board.ts'
import { plural } from '../format.ts'
import { list } from '../http.ts'
import { useListState } from '../list-state.ts'
import { useNews } from '../news.ts'
import { DealCard } from '../parts/deal-card.tsx'
import { Empty } from '../parts/empty.tsx'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { RecordForm } from '../parts/record-form.tsx'
import { UnknownView } from '../parts/unknown-view.tsx'
import { ViewPicker } from '../parts/view-picker.tsx'
import { sumText } from '../pipeline-sums.ts'
import { href } from '../place.ts'
import { isAdmin, resourceOf } from '../session.ts'
import { useData } from '../use-data.ts'
import { type DealMoves, useDealMoves } from '../use-deal-moves.ts'
import { useReturn } from '../use-return.ts'
import { useTitle } from '../use-title.ts'
import { useChanged, useViews } from '../use-views.ts'
import type { Row } from '../views.ts'

/** The board: a column for each stage, deals moved between them by pointer or keyboard. */
export function Pipeline() {
  useTitle('Pipeline')
  const stages = useData((signal) => list<Row>('/api-v1-stages', { limit: 100 }, signal), [])
  const [state, change] = useListState()
  const views = useViews('deal', state)
  const board = useMemo(() => createBoard(views.id, stages.reload), [views.id, stages.reload])
  useChanged(views.chosen, board.refresh)
  const [creating, setCreating] = useState(false)
  return (
    <div class="page full">
      <div class="heading">
        <h1>Pipeline</h1>
        <button type="button" class="button primary" onClick={() => setCreating(true)}>
          <Icon of={Plus} /> New deal
        </button>
      </div>
      <search class="toolbar">
        <ViewPicker of="deal" {...{ state, views }} layout="board" onChange={change} />
        {views.chosen && <a href={href(`${resourceOf('deal').page}?view=${views.id}`)}>Show as list</a>}
      </search>
      {views.isUnknown && <UnknownView onChange={change} />}
      {!stages.data && <LoadingOrError of={stages} shape="columns" />}
      {stages.data?.data.length === 0 && <NoStages />}
      {stages.data && stages.data.data.length > 0 && !views.isUnknown && (
        <Columns stages={stages.data.data} board={board} onReturn={stages.reload} onNews={stages.refresh} />
      )}
      {creating && (
        <RecordForm
          of="deal"
          onClose={() => setCreating(false)}
          onSaved={() => {
            setCreating(false)
            void board.refresh()
          }}
        />
      )}
    </div>
  )
}

/** What the cards and the columns show. */
const boardResources = ['deal', 'stage', 'organization', 'user']

interface ColumnsProps {
  stages: Row[]
  board: Board
  onReturn: () => void
  onNews: () => void
}

/** Reloads when the user returns to the window, and after a change. */
function Columns({ stages, board, onReturn, onNews }: ColumnsProps) {
  const element = useRef<HTMLDivElement>(null)
  const moves = useDealMoves(stages, board, element)
  useReturn(() => board.refresh().then(onReturn))
  useNews(
    ({ resource }) => boardResources.includes(resource),
    () => board.refresh().then(onNews),
  )
  return (
    <>
      <p class="unseen" role="status">
        {moves.announcement}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways even while its columns are empty */}
      <section class="board" ref={element} tabIndex={0} aria-label="Pipeline">
        {stages.map((stage) => (
          <Column key={stage.id} {...{ stage, board, moves }} />
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

function Column({ stage, board, moves }: { stage: Row; board: Board; moves: DealMoves }) {
  const column = board.columns[stage.id]
  const total = board.totals.get(stage.id)
  const element = useColumnFocus()
  const loadMore = () => board.loadMore(stage.id)
  useEffect(() => void loadMore(), [stage.id, board])
  return (
    <section
      ref={element}
      class={moves.moving?.target === stage.id ? 'column target' : 'column'}
      data-stage={stage.id}
      aria-label={stage.name}
      tabIndex={-1}
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
          <DealCard key={deal.id} deal={deal} moves={moves} />
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

/** When the focused card leaves a column, the focus moves to the column. */
function useColumnFocus() {
  const element = useRef<HTMLElement>(null)
  const hadFocus = element.current?.contains(document.activeElement)
  useLayoutEffect(() => {
    if (hadFocus && document.activeElement === document.body) element.current!.focus()
  })
  return element
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
      Loading…
    </li>
  )
}
